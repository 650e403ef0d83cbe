-- Rows come and go within a second: what is dead is cleared away by count, not by a share of what lives.
alter table outbox set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
alter table live_events set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000);
