-- Reviewers are few among many users, and are looked for whenever a review is assigned.
create index users_reviewers on users (id) where (role = 'Admin' or is_reviewer) and deleted_at is null;
