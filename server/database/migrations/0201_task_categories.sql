-- The category of a task (docs/specification/tasks.md#categories). Earlier tasks get the one that their words suggest, as
-- new tasks whose buyer chooses none do (contract/task-categories.ts).
alter table tasks add column category text not null default 'other';
alter table tasks add constraint tasks_category check (category in (
  'data_entry', 'research', 'survey', 'writing', 'translation', 'transcription', 'design', 'photo_video', 'labeling',
  'testing', 'social_media', 'local', 'other'));

create function guessed_category(p_text text) returns text language sql immutable as $$
  select case
    when p_text ~* '\m(translat|অনুবাদ)' then 'translation'
    when p_text ~* '\m(transcri|subtitle|caption|voice note|type what|প্রতিলিপি)' then 'transcription'
    when p_text ~* '\m(label|annotat|classif|categori|tag image|tag photo|bounding box)' then 'labeling'
    when p_text ~* '\m(survey|questionnaire|poll|opinion|feedback|জরিপ|মতামত)' then 'survey'
    when p_text ~* '\m(test|bug|usability|install|try our app|পরীক্ষা)' then 'testing'
    when p_text ~* '\m(facebook|instagram|tiktok|youtube|social media|subscribe|follow|share our|hashtag)' then 'social_media'
    when p_text ~* '\m(shop|market|visit|nearby|street|bazar|bazaar|store|দোকান|বাজার)' then 'local'
    when p_text ~* '\m(photo|picture of|pictures of|video|selfie|record|ছবি|ভিডিও)' then 'photo_video'
    when p_text ~* '\m(logo|design|banner|poster|illustrat|thumbnail|flyer|draw|নকশা)' then 'design'
    when p_text ~* '\m(write|writing|article|blog|proofread|rewrite|product description|essay|লেখা|লিখুন)' then 'writing'
    when p_text ~* '\m(data entry|data-entry|spreadsheet|excel|enter|copy|type|fill in|pdf|receipt|এন্ট্রি)' then 'data_entry'
    when p_text ~* '\m(research|find|search|collect|look up|list of|lead|compare|check|খুঁজ)' then 'research'
  end
$$;
update tasks set category = coalesce(guessed_category(title), guessed_category(left(detail, 2000)))
 where coalesce(guessed_category(title), guessed_category(left(detail, 2000))) is not null;
drop function guessed_category(text);

-- Each task is in one of the two, so that a change of a task writes one entry.
create index tasks_category_open on tasks (category) where closed_at is null;
create index tasks_category_closed on tasks (category) where closed_at is not null and deleted_at is null;
