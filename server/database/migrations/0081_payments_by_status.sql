-- Refunded and disputed payments are few among many.
create index payments_by_status on payments (status, number desc);
