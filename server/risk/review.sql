-- Returns whether a request's score stops its payment: it reaches the setting, and no Admin has cleared this score or one
-- nearly as high. While there is a setting, a request without an assessment is stopped until it has one.
create or replace function is_stopped_by_risk(p_withdrawal uuid) returns boolean language sql stable as $$
  select coalesce((
    select is_stopped(p_withdrawal, assessed.score, (operator_setting('risk') ->> 'reviewScore')::int)
      from risk_assessments as assessed where withdrawal_id = p_withdrawal), operator_setting('risk') ->> 'reviewScore' is not null)
$$;

-- Reassesses requests whose assessment is older than `p_older_than`, and those without one, while scores stop payments or make a
-- second Admin necessary. Call it before a payment.
create or replace function refresh_risk(p_withdrawals uuid[], p_older_than interval) returns void language plpgsql as $$
begin
  if operator_setting('risk') ->> 'reviewScore' is null and operator_setting('payout_rules') ->> 'riskScore' is null then
    return;
  end if;
  perform assess_risk(stale.id) from (
    select requests.id from unnest(p_withdrawals) as requests (id)
      left join risk_assessments as assessed on assessed.withdrawal_id = requests.id
     where coalesce(assessed.assessed_at, '-infinity') <= clock_time() - p_older_than order by 1) as stale;
end $$;

-- Returns whether a score stops a request's payment. A request that was cleared is stopped again when its score has risen by ten.
create or replace function is_stopped(p_withdrawal uuid, p_score int, p_review_score int) returns boolean language sql stable as $$
  select coalesce(p_score >= p_review_score, false)
     and not exists (select from risk_reviews where withdrawal_id = p_withdrawal and p_score < score + 10)
$$;

-- Clears a pending request for payment in spite of its score, by the decision of an Admin who is not new
-- (docs/decisions/0081-new-admins-and-stops.md). Lock order: the Admin, the request.
create or replace function clear_risk(p_withdrawal uuid, p_admin uuid, p_reason text) returns void language plpgsql as $$
declare
  score int;
begin
  perform require_admin(p_admin);
  perform refuse_new_admins(array[p_admin]);
  perform lock_payable_withdrawal(p_withdrawal, p_admin);
  score := assess_risk(p_withdrawal);
  insert into risk_reviews (withdrawal_id, score, reason, reviewed_by) values (p_withdrawal, score, p_reason, p_admin);
  perform enqueue_payout_change(p_admin);
  perform log_admin_action(p_admin, 'risk_cleared', p_withdrawal, jsonb_build_object('score', score, 'reason', p_reason));
end $$;

-- Returns what Admins see of a request's risk: the latest assessment, its clearance and live freezes. Null before the first
-- assessment.
create or replace function risk_of(p_withdrawal uuid) returns jsonb language sql stable as $$
  select jsonb_build_object(
    'workerId', withdrawals.worker_id, 'score', assessed.score, 'reasons', assessed.reasons, 'facts', assessed.facts, 'assessedAt', iso_time(assessed.assessed_at),
    'stopped', withdrawals.status = 'pending' and is_stopped_by_risk(p_withdrawal),
    'cleared', (select jsonb_build_object('score', score, 'reason', reason, 'by', users.name, 'at', iso_time(reviewed_at))
                  from risk_reviews join users on users.id = reviewed_by where withdrawal_id = p_withdrawal
                 order by reviewed_at desc limit 1),
    'freezes', (select coalesce(jsonb_agg(jsonb_build_object('_id', id, 'subject', case when withdrawal_id is null then 'account' else 'withdrawal' end,
                         'cause', cause, 'reason', reason, 'frozenAt', iso_time(frozen_at), 'response', response) order by number), '[]')
                  from freezes where user_id = withdrawals.worker_id and ended_at is null
                   and (withdrawal_id is null or withdrawal_id = p_withdrawal)))
    from withdrawals join risk_assessments as assessed on assessed.withdrawal_id = withdrawals.id
   where withdrawals.id = p_withdrawal
$$;
