-- Functions whose parameters changed, or that got the standard term as a name.
drop function if exists register_user(uuid, user_role, text, text, text, text);
drop function if exists ledger_figures();
