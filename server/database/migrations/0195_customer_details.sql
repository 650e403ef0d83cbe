-- The hash of the name and the email that the card processor's customer has. A customer with other details is updated
-- before the next purchase; '' where they are not known.
alter table card_customers add column details_hash text not null default '';
