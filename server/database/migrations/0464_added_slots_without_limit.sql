-- A reversal and a reopening add a slot to a task that was posted with as many as are allowed: the limit is that of posting and of added
-- slots (server/tasks, server/batches), not of the row. Otherwise the rules are those of 0311 (docs/decisions/0109-row-rules.md).
-- Locks: tasks exclusively for a moment. Rows are not read: the constraint that is dropped has checked them. The end of the upgrade
-- validates the new one, while users write.
create function is_valid_task_row(
  p_category text, p_reward bigint, p_slots int, p_slots_left int, p_version int, p_review_hours int, p_reservation_minutes int,
  p_closed_at timestamptz, p_close_reason closing_reason, p_deleted_at timestamptz, p_held_at timestamptz)
returns boolean language plpgsql immutable parallel safe as $$
begin
  return p_slots >= 1
     and p_slots_left between 0 and p_slots
     and p_reward between 1 and 1000000
     and p_version >= 1
     and p_review_hours between 1 and 504
     and p_reservation_minutes between 5 and 1440
     and p_category in ('data_entry', 'research', 'survey', 'writing', 'translation', 'transcription', 'design', 'photo_video',
                        'labeling', 'testing', 'social_media', 'local', 'other')
     and (p_closed_at is null) = (p_close_reason is null)
     and (p_closed_at is null or p_slots_left = 0)
     and (p_closed_at is null or p_held_at is null)
     and (p_closed_at is not null or p_deleted_at is null);
end $$;

alter table tasks
  drop constraint tasks_valid,
  add constraint tasks_valid check (is_valid_task_row(category, reward, slots, slots_left, version, review_hours, reservation_minutes,
                                                      closed_at, close_reason, deleted_at, held_at)) not valid;
drop function is_valid_task(text, bigint, int, int, int, int, int, timestamptz, closing_reason, timestamptz, timestamptz);
