-- Rejects several pending submissions of this buyer, each as `reject_submission` rejects it alone, in one transaction. Returns a
-- row for each of them: whether it was rejected now, and its status, which is null when it does not exist or is another
-- buyer's, and pending when its review period has ended. Lock order: the buyer, the tasks by id, the submissions by id.
create or replace function reject_submissions(
  p_submissions uuid[], p_reasons text[], p_categories rejection_category[], p_requirements text[], p_buyer uuid,
  p_appeal interval, p_review interval, p_recent int, p_percent int)
returns table (submission uuid, modified boolean, current_status submission_status) language plpgsql as $$
declare
  pending uuid[];
  one record;
begin
  perform from users where id = p_buyer for no key update;
  perform from tasks where id in (select task_id from submissions where id = any (p_submissions) and buyer_id = p_buyer)
    order by id for no key update;
  perform from submissions where id = any (p_submissions) and buyer_id = p_buyer order by id for no key update;
  pending := array(select id from submissions
                    where id = any (p_submissions) and buyer_id = p_buyer and status = 'pending' and due_at > clock_time());
  for one in select * from unnest(p_submissions, p_reasons, p_categories, p_requirements) as asked (id, reason, category, requirement)
              where id = any (pending) order by id loop
    perform reject_submission(one.id, p_buyer, one.reason, one.category, one.requirement, p_appeal, p_review, p_recent, p_percent);
  end loop;
  return query
    select asked.id, asked.id = any (pending), submissions.status
      from unnest(p_submissions) as asked (id)
      left join submissions on submissions.id = asked.id and submissions.buyer_id = p_buyer;
end $$;
