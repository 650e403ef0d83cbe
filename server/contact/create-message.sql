-- Stores a contact message and notifies every Admin.
create or replace function create_contact_message(p_id uuid, p_name text, p_email text, p_subject text, p_message text)
returns void language plpgsql as $$
begin
  insert into contact_messages (id, name, email, subject, message) values (p_id, p_name, p_email, p_subject, p_message);
  perform notify_user(id, 'contact_message', jsonb_build_object('name', p_name, 'subject', p_subject), p_id)
     from users where role = 'Admin' and deleted_at is null;
end $$;
