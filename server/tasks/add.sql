-- Posts a task: the task and the escrow of its whole cost are created together (docs/specification/tasks.md). `p_audience` is who may
-- work on it (Audience in contract/audience.ts); null: every worker.
create or replace function add_task(
  p_id uuid, p_buyer uuid, p_title text, p_detail text, p_submission_info text, p_image_url text,
  p_slots int, p_reward bigint, p_completion_date date, p_zone text, p_fee bigint,
  p_review_hours int default null, p_reservation_minutes int default 60, p_category text default 'other',
  p_draft uuid default null, p_audience jsonb default null)
returns void language plpgsql as $$
declare
  account bigint;
  escrow bigint;
  closes timestamptz;
begin
  select account_id into account from users
   where id = p_buyer and role = 'Buyer' and deleted_at is null for share;
  if not found then
    perform refuse('role_not_allowed', '{"roles": ["Buyer"]}');
  end if;
  perform refuse_frozen(p_buyer);
  if p_draft is not null then
    perform use_task_draft(p_draft, p_buyer);
  end if;
  closes := closing_time(p_completion_date, p_zone);

  escrow := open_account('escrow', p_id);
  insert into tasks (id, buyer_id, title, detail, submission_info, image_url, slots, slots_left, reward,
                     completion_date, closes_at, escrow_id, review_hours, reservation_minutes, category,
                     listed_from, has_requirements)
  values (p_id, p_buyer, p_title, p_detail, p_submission_info, p_image_url, p_slots, p_slots, p_reward,
          p_completion_date, closes, escrow, p_review_hours, p_reservation_minutes, p_category,
          listing_time(p_buyer, p_audience->>'visibility'), has_requirements(p_audience));
  if p_audience is not null then
    perform add_requirements(p_id, p_buyer, p_audience);
  end if;
  perform transfer('task_funded', p_id, account, escrow, p_slots * p_reward);
  if p_fee > 0 then
    perform transfer('task_fee', p_id, account, platform_account(), p_fee);
  end if;
  perform enqueue_change(p_buyer, p_id);
end $$;

-- Returns when a new task of a buyer appears in lists: an hour later for favourites first, if the buyer has any; never for a
-- private task.
create or replace function listing_time(p_buyer uuid, p_visibility text) returns timestamptz language sql stable as $$
  select case when p_visibility = 'link' then 'infinity'
              when p_visibility = 'favourites_first' and has_favourites(p_buyer) then clock_time() + interval '1 hour'
              else '-infinity' end::timestamptz
$$;

-- Returns whether an audience is narrower than its visibility.
create or replace function has_requirements(p_audience jsonb) returns boolean language sql immutable as $$
  select coalesce(jsonb_array_length(p_audience->'qualifications') > 0
      or coalesce(p_audience->>'approvalPercentMin', p_audience->>'approvedMin', p_audience->>'language') is not null, false)
$$;
