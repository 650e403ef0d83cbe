-- The list of open tasks by slots reads open_task_slots (docs/decisions/0104-heap-only-updates.md). Instances of the previous version sort
-- the open tasks instead. 0306 and 0307 replace the other two indexes with the free slots.
-- Locks: tasks, exclusively for the moment in which an index is dropped.
drop index tasks_open_by_slots;
