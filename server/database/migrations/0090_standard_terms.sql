-- Tables, columns and values whose names misled get the standard term. Functions of the earlier names are dropped; the
-- server installs those of the new names, with their triggers, in the same transaction.
alter table throttles rename to rate_limits;
alter index throttles_pkey rename to rate_limits_pkey;
alter index throttles_by_reset rename to rate_limits_by_reset;

alter table admin_record rename to admin_audit_log;
alter table admin_audit_log rename constraint admin_record_hash to admin_audit_log_hash;
alter index admin_record_pkey rename to admin_audit_log_pkey;

alter table ledger_sums rename to transfer_totals;
alter index ledger_sums_pkey rename to transfer_totals_pkey;
alter table ledger_sums_mark rename to transfer_totals_watermark;
alter index ledger_sums_mark_pkey rename to transfer_totals_watermark_pkey;

alter table live_head rename to live_sequence;
alter index live_head_pkey rename to live_sequence_pkey;

alter table task_words rename to search_terms;
alter table search_terms rename column word to term;
alter index task_words_pkey rename to search_terms_pkey;

alter table tasks rename column closed_because to close_reason;
alter table submissions rename column warned_at to reminded_at;
alter index submissions_to_warn rename to submissions_to_remind;

alter type account_kind rename value 'person' to 'user';
alter type account_kind rename value 'house' to 'platform';
alter type transfer_kind rename value 'swept_to_house' to 'swept_to_platform';
alter index ledger_accounts_one_of_each_house rename to ledger_accounts_one_of_each_platform;
alter table ledger_accounts rename constraint ledger_accounts_house_keeps_no_total to ledger_accounts_platform_keeps_no_total;

-- Triggers on these tables come back under new names.
drop trigger if exists admin_record_immutable on admin_audit_log;
drop trigger if exists admin_record_no_truncate on admin_audit_log;
drop trigger if exists task_words_kept on tasks;

do $$
declare
  renamed text;
begin
  for renamed in
    select oid::regprocedure::text from pg_proc
     where pronamespace = current_schema()::regnamespace
       and proname in ('tell', 'changed', 'about_of', 'books', 'decided_already', 'house_account', 'keep_task_words',
         'ledger_sums_now', 'settle_ledger_sums', 'audit_sums', 'audit_record', 'lock_work_of', 'close_tasks_of',
         'record_act', 'refuse_change', 'refuse_losing_admin', 'refuse_purchase', 'tell_admins_of_payment',
         'tell_of_reversal', 'warn_at', 'warn_buyer', 'why_not_submit', 'begin_purchase', 'origin_of', 'coins_behind',
         'send_contact')
  loop
    execute format('drop function %s cascade', renamed);
  end loop;
end $$;
