import { peopleOf, type Shape, SUPPLY_FREE, SUPPLY_PENDING, SUPPLY_REWARD, tasksOf } from './shape.ts'

const JACKPOT = 1_000_000

/**
 * The SQL that fills an empty, migrated database, set by set. Triggers are off while it runs, so balances are summed up
 * from the transfers at the end; the audit then proves that they are what the triggers would have made of them.
 */
export function stepsOf(shape: Shape, passwordHash: string): [name: string, sql: string][] {
  const { tasks, supplyTasks, admins, buyers, workers, callers, began, step } = shape
  const people = peopleOf(shape)
  const all = tasksOf(shape)
  const firstBuyer = 1 + admins
  const firstWorker = 1 + admins + buyers
  const buyersOnly = `generate_series(${firstBuyer}, ${firstWorker - 1}) as k`
  const everyone = `generate_series(1, ${people}) as k`
  const user = (k: string) => `bench.id(${began} + ${k}, ${k})`

  return [
    [
      'functions',
      // The id of `shape.ts`, from two halves of eleven and sixteen digits: millions are made, and padding is expensive.
      `create schema bench;
       create function bench.id(ms bigint, k bigint) returns uuid language sql immutable as $$
         select ('0' || to_hex(ms * 65536 + 28672) || to_hex(k + '-9223372036854775808'::bigint))::uuid $$;
       create function bench.at(ms bigint) returns timestamptz language sql immutable as $$
         select to_timestamp(ms::float8 / 1000) $$;
       create function bench.account(user_number bigint) returns bigint language sql immutable as $$ select 1000 + user_number $$;
       create function bench.escrow(task bigint) returns bigint language sql immutable as $$
         select 1000 + ${people} + task $$;
       create function bench.task_ms(n bigint) returns bigint language sql immutable as $$
         select ${began} + 1000000000 + n * ${step} $$;
       create function bench.task(n bigint) returns uuid language sql immutable as $$
         select bench.id(bench.task_ms(n), n) $$;
       create function bench.words(n bigint) returns text language sql immutable as $$
         select (array['Label','Sort','Transcribe','Review','Translate','Check','Describe','Rate','Record','Photograph',
                       'Find','Compare','Tag','Count','Summarise','Test','Draw','Collect','Verify','Classify'])[1 + n % 20]
           || ' ' || (array['red','blue','green','small','large','old','new','bright','quiet','local','distant','wooden',
                            'round','square','handmade','printed','spoken','written','blurred','rare','daily','weekly',
                            'short','long','plain'])[1 + n / 20 % 25]
           || ' ' || (array['photos','receipts','maps','voices','recipes','invoices','leaves','signs','menus','letters',
                            'birds','shops','cars','faces','songs','poems','forms','labels','tickets','stamps','shoes',
                            'doors','bridges','rivers','clouds','insects','flowers','trees','houses','streets','windows',
                            'bottles','books','headlines','comments','tables','charts','logos','icons','names'])[1 + n / 500 % 40] $$`,
    ],
    [
      'people',
      `insert into identities (id, name, email, email_key, password_hash, email_verified_at, created_at)
         select ${user('k')}, 'User ' || k, 'user' || k || '@example.com', 'user' || k || '@example.com',
                case when k < ${firstBuyer + callers} then '${passwordHash}' end, bench.at(${began} + k), bench.at(${began} + k)
           from ${everyone};
       insert into users (id, name, email, email_key, role, wallet, account_id, created_at)
         select ${user('k')}, 'User ' || k, 'user' || k || '@example.com', 'user' || k || '@example.com',
                (case when k < ${firstBuyer} then 'Admin' when k < ${firstWorker} then 'Buyer' else 'Worker' end)::user_role,
                case when k between ${firstBuyer} and ${firstWorker - 1} then 100 else 0 end, bench.account(k), bench.at(${began} + k)
           from ${everyone};
       insert into sessions (id, identity_id, secret_hash, created_at, seen_at, expires_at, ended_at)
         select ${user('k')}, ${user('k')}, sha256(('session ' || k)::bytea), now(), now(), now() + interval '60 days',
                case when k % 10 = 9 and not (k between ${firstWorker} and ${firstWorker + callers - 1} or k < ${firstBuyer + callers})
                     then now() end
           from ${everyone}
          where k % 5 = 4 or k < ${firstBuyer + callers} or k between ${firstWorker} and ${firstWorker + callers - 1}`,
    ],
    [
      'purchases',
      `create unlogged table bench.bought as
         select bench.id(bench.task_ms(${all} / 6 * i) + k, k * 10 + i) as id, k, 1000::bigint as coins, 3500::bigint as cents,
                bench.at(bench.task_ms(${all} / 6 * i) + k) as at
           from generate_series(0, 4) as i, ${buyersOnly}
         union all
         select bench.id(${began} + k, k * 10 + 7), k, case when k = ${firstBuyer} then 1000000000 else 10000000 end,
                case when k = ${firstBuyer} then 3500000000 else 35000000 end, bench.at(${began} + k)
           from ${buyersOnly} where k < ${firstBuyer + callers};
       insert into purchases (id, user_id, coins, amount_cents, mode, intent_id, state, created_at, checked_at, closed_at)
         select id, ${user('k')}, coins, cents, 'sandbox', 'pi_' || id, 'credited', at, at, at from bench.bought;
       insert into payments (id, user_id, transaction_id, mode, amount_cents, coins, paid_at)
         select id, ${user('k')}, 'pi_' || id, 'sandbox', cents, coins, at from bench.bought order by at;
       insert into receipts (series, number, label, kind, ref, payment_id, user_id, issued_at, seller, customer, lines, cents)
         select 'TEST-R', number, receipt_number('TEST-R', number), 'purchase', id, id, user_id, paid_at, '{}', '{}',
                '[{"item": "coins_bought", "coins": 1000, "cents": 3500}]', amount_cents from payments;
       update receipt_series set last_number = (select count(*) from receipts) where series = 'TEST-R'`,
    ],
    [
      'tasks',
      `create unlogged table bench.tasks as
         select n, ${firstBuyer} + n % ${buyers} as buyer, 6 + n / ${buyers} % 25 as reward, 12 as slots,
                n <= ${tasks} * 0.8 as closed, case when n <= ${tasks} * 0.8 then 9 else 6 end as approved,
                case when n <= ${tasks} * 0.8 then 0 else 2 end as pending, case when n <= ${tasks} * 0.8 then 1 else 2 end as rejected
           from generate_series(1, ${tasks}) as n
         union all
         select n, ${firstBuyer} + (n - ${tasks + 1}) % ${callers}, ${SUPPLY_REWARD}, ${SUPPLY_PENDING + SUPPLY_FREE}, false, 0, ${SUPPLY_PENDING}, 0
           from generate_series(${tasks + 1}, ${tasks + supplyTasks}) as n
         union all
         select ${all}, ${firstBuyer}, ${JACKPOT}, ${callers}, false, ${callers}, 0, 0;
       insert into tasks (id, buyer_id, title, detail, submission_info, slots, slots_left, reward, completion_date, closes_at,
                          escrow_id, created_at, closed_at, close_reason, category)
         select bench.task(n), ${user('buyer')}, bench.words(n) || ', batch ' || n,
                'Look at each one and say what it shows, in your own words. Take your time: work that was done with care is '
                  || 'approved on the same day. Examples of good answers for ' || bench.words(n * 7) || ' are in the guide.',
                'Ten lines of text and one picture', slots, case when closed then 0 else slots - approved - pending end, reward,
                day, (day + 1)::timestamp at time zone 'Asia/Dhaka', bench.escrow(n), bench.at(bench.task_ms(n)),
                case when closed then (day + 1)::timestamp at time zone 'Asia/Dhaka' end,
                case when closed then 'deadline'::closing_reason end,
                (array['data_entry', 'research', 'survey', 'writing', 'translation', 'testing', 'other'])[1 + n % 7]
           from bench.tasks, lateral (select case when closed then bench.at(bench.task_ms(n))::date + 10
                                                  else current_date + 60 + (n % 300)::int end as day) as due
          order by n;
       insert into task_changes (id, task_id, kind, slots, coins)
         select bench.task(n), bench.task(n), 'closed', slots - approved, (slots - approved) * reward from bench.tasks where closed;
       insert into open_task_slots (task_id, slots_left) select id, slots_left from tasks where closed_at is null;
       insert into search_terms select distinct unnest(tsvector_to_array(search)) from tasks`,
    ],
    [
      'submissions',
      `create unlogged table bench.work as
         select n, s, buyer, reward,
                case when n = ${all} then ${firstWorker} + s
                     when n > ${tasks} then ${firstWorker} + ${callers} + (n + s) % ${workers - callers}
                     else ${firstWorker} + (n * 13 + s) % ${workers} end as worker,
                (case when s < approved then 'approved' when s < approved + pending then 'pending' else 'rejected' end)::submission_status as status
           from bench.tasks, lateral generate_series(0, approved + pending + rejected - 1) as s;
       insert into submissions (id, task_id, worker_id, buyer_id, reward, text, status, reason, created_at, due_at, rejected_at, decided_at, decided_by)
         select bench.id(bench.task_ms(n) + s + 1, n), bench.task(n), ${user('worker')}, ${user('buyer')}, reward,
                'Here is what I found, line by line, with a picture of the third one: ' || bench.words(n * 10 + s), status,
                case when status = 'rejected' then 'The third line does not say what the picture shows.' else '' end,
                bench.at(bench.task_ms(n) + s + 1), case when status = 'pending' then now() + interval '60 days' else bench.at(bench.task_ms(n)) + interval '7 days' end,
                case when status = 'rejected' then bench.at(bench.task_ms(n) + s + 3600000) end,
                case when status <> 'pending' then bench.at(bench.task_ms(n) + s + 3600000) end,
                case when status <> 'pending' then 'buyer'::decider end
           from bench.work order by n, s`,
    ],
    [
      'transfers',
      `insert into ledger_transfers (kind, ref, debit, credit, amount, created_at)
         select 'sign_up_bonus', ${user('k')}, 1, bench.account(k), case when k < ${firstWorker} then 50 else 10 end, bench.at(${began} + k)
           from ${everyone} where k > ${admins};
       insert into ledger_transfers (kind, ref, debit, credit, amount, created_at)
         select 'coins_bought', id, 2, bench.account(k), coins, at from bench.bought order by at;
       insert into ledger_transfers (kind, ref, debit, credit, amount, created_at)
         select kind::transfer_kind, ref, debit, credit, amount, at from (
           select n, 0 as place, 'task_funded' as kind, bench.task(n) as ref, bench.account(buyer) as debit, bench.escrow(n) as credit,
                  slots * reward as amount, bench.at(bench.task_ms(n)) as at from bench.tasks
           union all
           select n, 1 + s, 'submission_paid', bench.id(bench.task_ms(n) + s + 1, n), bench.escrow(n), bench.account(worker),
                  reward, bench.at(bench.task_ms(n) + s + 3600000) from bench.work where status = 'approved'
           union all
           select n, 1000, 'task_refunded', bench.task(n), bench.escrow(n), bench.account(buyer),
                  (slots - approved) * reward, bench.at(bench.task_ms(n)) + interval '10 days' from bench.tasks where closed
         ) as moves order by n, place`,
    ],
    [
      'withdrawals',
      `create unlogged table bench.payouts as
         select k, 200::bigint as coins, bench.id(bench.task_ms(${all}) + k, k) as id, 1000 + ${people} + ${all} + row_number() over (order by k) as hold,
                (case k % 10 when 0 then 'pending' when 1 then 'declined' else 'approved' end)::withdrawal_status as status
           from (select worker as k, sum(reward) as earned from bench.work where status = 'approved' and n <= ${tasks} group by worker) as earners
          where earned >= 200 and k % 3 = 0;
       insert into withdrawals (id, worker_id, coins, amount_cents, payment_system, account_number, status, reason, hold_id, requested_on, created_at, decided_at, decided_by)
         select id, ${user('k')}, coins, coins * 5, 'Bkash', '01712345678', status, case when status = 'declined' then 'Check the number.' else '' end, hold,
                current_date - 1, now() - interval '1 day', case when status <> 'pending' then now() end, case when status <> 'pending' then ${user('1')} end
           from bench.payouts;
       insert into payout_batches (id, single, state, created_by, created_at, released_by, released_at, reconciled_at, row_count, coins, cents)
         select id, true, 'reconciled', ${user('1')}, now(), ${user('1')}, now(), now(), 1, coins, coins * 5 from bench.payouts where status = 'approved';
       insert into payouts (id, batch_id, withdrawal_id, attempt, reference, state, claimed_by, payment_system, account_number, coins, cents, source,
                            settled_by, sent_at, settled_at)
         select id, id, id, 1, 'TW' || id, 'confirmed', ${user('1')}, 'Bkash', '01712345678', coins, coins * 5, 'admin', ${user('1')}, now(), now()
           from bench.payouts where status = 'approved';
       insert into ledger_transfers (kind, ref, debit, credit, amount)
         select 'withdrawal_held', id, bench.account(k), hold, coins from bench.payouts;
       insert into ledger_transfers (kind, ref, debit, credit, amount)
         select case status when 'approved' then 'withdrawal_paid' else 'withdrawal_released' end::transfer_kind, id, hold,
                case status when 'approved' then 3 else bench.account(k) end, coins from bench.payouts where status <> 'pending';
       insert into receipts (series, number, label, kind, ref, withdrawal_id, user_id, issued_at, seller, customer, lines, cents)
         select 'P', row_number() over (order by id), receipt_number('P', row_number() over (order by id)), 'payout', id, id, worker_id,
                decided_at, '{}', '{}', '[{"item": "coins_paid_out", "coins": 200, "cents": 1000}]', amount_cents
           from withdrawals where status = 'approved';
       update receipt_series set last_number = (select count(*) from receipts where series = 'P') where series = 'P'`,
    ],
    [
      'notifications',
      `insert into notifications (user_id, kind, params, ref, created_at, read_at)
         select case when status = 'pending' or s % 2 = 0 then ${user('buyer')} else ${user('worker')} end,
                case when status = 'pending' or s % 2 = 0 then 'work_received' else 'submission_' || status end,
                jsonb_build_object('title', bench.words(n) || ', batch ' || n) || case
                  when status = 'pending' or s % 2 = 0 then jsonb_build_object('worker', 'User ' || worker)
                  when status = 'approved' then '{"coins": 10, "decidedBy": "buyer"}' else '{"reason": "Too short"}' end,
                bench.id(bench.task_ms(n) + s + 1, n), bench.at(bench.task_ms(n) + s + 1),
                case when n < ${tasks} * 0.95 then bench.at(bench.task_ms(n) + s + 7200000) end
           from bench.work where s < 4 order by n, s`,
    ],
    [
      'balances',
      `insert into transfer_keys (kind, ref, transfer_id) select kind, ref, id from ledger_transfers;
       insert into submission_keys (task_id, worker_id, item_number, submission_id)
         select task_id, worker_id, item_number, id from submissions where rejected_at is null or item_number is not null;
       insert into ledger_accounts (id, kind, balance, owner_id)
         select id, kind::account_kind, coalesce(total, 0), owner from (
           select bench.account(k) as id, 'user' as kind, ${user('k')} as owner from ${everyone}
           union all select bench.escrow(n), 'escrow', bench.task(n) from bench.tasks
           union all select hold, 'hold', ${user('k')} from bench.payouts) as accounts
         left join (
           select account, sum(amount)::bigint as total from (
             select credit as account, amount from ledger_transfers union all select debit, -amount from ledger_transfers) as sides
            group by account) as moved on moved.account = accounts.id
          order by id;
       select setval(pg_get_serial_sequence('ledger_accounts', 'id'), (select max(id) from ledger_accounts));
       drop table bench.bought, bench.tasks, bench.work, bench.payouts`,
    ],
  ]
}
