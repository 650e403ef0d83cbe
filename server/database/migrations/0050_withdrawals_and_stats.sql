-- What the Admin's view of a withdrawal asks of the ledger and of sessions, person by person.
create index ledger_transfers_bought on ledger_transfers (credit) include (amount) where kind = 'coins_bought';
create index sessions_networks on sessions (identity_id, network) where network <> '';

-- A person's own figures without visiting their rows. A closed task has no slots left, so the sums are those of open ones.
create index tasks_ever_of_buyer on tasks (buyer_id) include (slots_left, reward);
create index withdrawals_paid_to_worker on withdrawals (worker_id) include (coins) where status = 'approved';

-- Days of the charts: transfers come in the order of time, so a range of days is a range of pages.
create index ledger_transfers_by_day on ledger_transfers using brin (created_at);

create index contact_messages_newest on contact_messages (id desc);
