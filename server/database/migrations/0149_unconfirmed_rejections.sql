-- A rejection that a reviewer confirms before it counts is unconfirmed. Tasks are held, and coins are on hold.
alter table reviews rename column held to unconfirmed;
