-- Refunded and disputed payments are few among many, and so are the provider's messages that failed.
create index payments_by_status on payments (status, number desc);
create index card_events_by_outcome on card_events (outcome, received_at) where processed_at is not null;
