import { childSection, type Sections, section } from './export-section.ts'

/** Lists of the export about tasks and the work on them. */
export const WORK_SECTIONS: Sections = {
  tasks: section(
    'tasks',
    'id',
    'uuid',
    `to_jsonb(tasks) - 'search' - 'escrow_id' - 'buyer_id' || jsonb_build_object(
       'changes', (select coalesce(jsonb_agg(to_jsonb(task_changes) - 'task_id' order by task_changes.created_at), '[]')
                     from task_changes where task_id = tasks.id),
       'earlier_versions', (select coalesce(jsonb_agg(to_jsonb(task_versions) - 'task_id' order by version), '[]')
                              from task_versions where task_id = tasks.id))`,
    'tasks where buyer_id = $1',
  ),
  projects: section(
    'projects',
    'id',
    'uuid',
    `to_jsonb(projects) - 'buyer_id' || jsonb_build_object(
       'versions', (select jsonb_agg(to_jsonb(project_versions) - 'project_id' order by project_versions.version)
                      from project_versions where project_id = projects.id))`,
    'projects where buyer_id = $1',
  ),
  batches: section('batches', 'id', 'uuid', `to_jsonb(batches) - 'buyer_id'`, 'batches where buyer_id = $1'),
  batch_items: childSection('batch_items', 'batches where buyer_id = $1', {
    key: 'number',
    type: 'bigint',
    data: 'to_jsonb(batch_items)',
    from: 'batch_items where batch_id = parents.id',
  }),
  task_drafts: section(
    'task_drafts',
    'id',
    'uuid',
    `to_jsonb(task_drafts) - 'buyer_id' - 'image_url'`,
    'task_drafts where buyer_id = $1',
  ),
  rejections: childSection('rejections', 'tasks where buyer_id = $1', {
    key: 'submissions.id',
    type: 'uuid',
    data: `jsonb_build_object('submission_id', submissions.id, 'task_id', task_id, 'rejected_at', rejected_at,
             'reason', reason, 'category', category, 'requirement', requirement)`,
    from: 'submissions where task_id = parents.id and rejected_at is not null',
  }),
  revision_requests: section(
    'revision_requests',
    'submission_id',
    'uuid',
    `jsonb_build_object('submission_id', submission_id, 'request', request, 'requested_at', requested_at)`,
    'submission_revisions where submission_id in (select id from submissions where buyer_id = $1)',
  ),
  defences: section(
    'defences',
    'submission_id',
    'uuid',
    `jsonb_build_object('submission_id', submission_id, 'defence', defence, 'defended_at', defended_at)`,
    `appeals where defended_at is not null and submission_id in (select id from submissions where buyer_id = $1)`,
  ),
  work: section(
    'work',
    'submissions.id',
    'uuid',
    `to_jsonb(submissions) - 'worker_id' - 'buyer_id' - 'reminded_at' || jsonb_build_object('task', title)`,
    'submissions join tasks on tasks.id = task_id where worker_id = $1',
  ),
  revisions: section(
    'revisions',
    'submission_id',
    'uuid',
    `to_jsonb(submission_revisions)`,
    'submission_revisions where submission_id in (select id from submissions where worker_id = $1)',
  ),
  appeals: section(
    'appeals',
    'submission_id',
    'uuid',
    `to_jsonb(appeals) - 'worker_id'`,
    'appeals where worker_id = $1',
  ),
  reviews: section(
    'reviews',
    'id',
    'bigint',
    `jsonb_build_object('submission_id', submission_id, 'round', round, 'assigned_at', assigned_at,
       'decision', decision, 'reason', reason, 'decided_at', decided_at)`,
    'reviews where reviewer_id = $1',
  ),
  reservations: section(
    'reservations',
    'reservations.id',
    'uuid',
    `to_jsonb(reservations) - 'worker_id' || jsonb_build_object('task', title)`,
    'reservations join tasks on tasks.id = task_id where worker_id = $1',
  ),
  viewed_tasks: section(
    'viewed_tasks',
    'task_id',
    'uuid',
    `jsonb_build_object('task_id', task_id)`,
    'task_viewers where worker_id = $1',
  ),
  opened_links: section(
    'opened_links',
    'task_id',
    'uuid',
    `jsonb_build_object('task_id', task_id, 'opened_at', created_at)`,
    'task_link_uses where worker_id = $1',
  ),
  blocks: section(
    'blocks',
    'id',
    'uuid',
    // A worker's copy has neither the buyer nor the reason.
    `case when buyer_id = $1 then to_jsonb(worker_blocks) - 'buyer_id' - 'worker_id' - 'ended_by'
            || jsonb_build_object('worker', worker_pseudonym(buyer_id, worker_id))
          else jsonb_build_object('id', id, 'created_at', created_at, 'ended_at', ended_at) end`,
    'worker_blocks where $1 in (buyer_id, worker_id)',
  ),
  favourite_workers: section(
    'favourite_workers',
    'worker_id',
    'uuid',
    `jsonb_build_object('worker', worker_pseudonym(buyer_id, worker_id), 'created_at', created_at)`,
    'favourite_workers where buyer_id = $1',
  ),
  qualifications: section(
    'qualifications',
    'id',
    'uuid',
    `to_jsonb(qualifications) - 'buyer_id' || jsonb_build_object(
       'workers', (select coalesce(jsonb_agg(worker_pseudonym(buyer_id, worker_id) order by qualified_workers.created_at), '[]')
                     from qualified_workers where qualification_id = qualifications.id),
       'earned', (select coalesce(jsonb_agg(jsonb_build_object(
                           'worker', worker_pseudonym(buyer_id, worker_id), 'right', earned_right, 'answers', earned_answers)
                         order by qualified_workers.created_at), '[]')
                    from qualified_workers where qualification_id = qualifications.id and earned_answers is not null),
       'revoked', (select coalesce(jsonb_agg(worker_pseudonym(buyer_id, worker_id) order by revoked.created_at), '[]')
                     from revoked_qualifications as revoked where qualification_id = qualifications.id))`,
    'qualifications where buyer_id = $1',
  ),
  own_qualifications: section(
    'own_qualifications',
    'id',
    'uuid',
    `jsonb_build_object('id', id, 'name', name, 'description', description, 'granted_at', qualified_workers.created_at)`,
    'qualified_workers join qualifications on id = qualification_id where worker_id = $1',
  ),
}
