-- The qualifications that workers earn in a project.
-- Locks: nothing for writes; the index is built concurrently.
create index concurrently qualifications_of_project on qualifications (test_project) where test_project is not null;
