-- Withdrawal requests without an assessment of their risk, until a job or an Admin's step makes it
-- (docs/decisions/0108-assessed-after-the-request.md).
-- Locks: withdrawals for writes, for the moment in which the reference is added.
create table requests_to_assess (
  withdrawal_id uuid primary key references withdrawals
);
