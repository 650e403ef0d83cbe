-- The version of the server whose functions are installed. An older server refuses to replace them.
alter table schema_functions add column version text;
