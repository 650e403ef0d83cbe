import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id, Time, Version } from './shapes.ts'

const DisputeId = z.object({ id: z.string().check(z.minLength(1), z.maxLength(300)) })

/**
 * A dispute of a card payment. `status` and `reason` are the provider's words. `canRespond`: evidence is still accepted,
 * until `respondBy`. Amounts are in dollars.
 */
export const CardDispute = z.object({
  _id: z.string(),
  transactionId: z.string(),
  buyer: z.object({ _id: Id, name: z.string(), email: z.string() }),
  amount: z.number(),
  status: z.string(),
  reason: z.string(),
  isOpen: z.boolean(),
  canRespond: z.boolean(),
  respondBy: z.nullable(Time),
  date: Time,
  submitted: z.nullable(z.object({ date: Time, admin: z.string(), adminId: z.nullable(Id) })),
})
export type CardDispute = z.infer<typeof CardDispute>

const field = (max: number) =>
  z.string().check(
    z.trim(),
    z.maxLength(max, { error: () => `At most ${max.toLocaleString('en-IN')} characters` }),
    z.refine(
      (text) => !text.includes('\u0000') && text.isWellFormed(),
      'Contains characters that cannot be stored',
    ),
  )

/** What the bank is sent. Empty fields are left out. */
export const Evidence = z.object({
  customerName: field(200),
  customerEmail: field(320),
  customerIp: field(60),
  serviceDate: field(30),
  productDescription: field(5_000),
  accessLog: field(20_000),
  explanation: field(20_000),
})
export type Evidence = z.infer<typeof Evidence>

/** What an Admin may add as a file: one of each. The receipt is added by the server. */
export const DISPUTE_FILE_FIELDS = ['serviceDocumentation', 'customerCommunication', 'other'] as const
const DisputeFileField = z.enum(DISPUTE_FILE_FIELDS)
export type DisputeFileField = z.infer<typeof DisputeFileField>
export const DISPUTE_FILE_TYPES = ['application/pdf', 'image/jpeg', 'image/png'] as const
/** Banks accept 4.5 MB; the receipt needs some of it. */
export const DISPUTE_FILES_MAX_BYTES = 4 * 1024 * 1024

/** A file of the evidence. `admin` and `adminId` are null for the receipt. After the submission only what was submitted is listed. */
export const DisputeFile = z.object({
  field: z.enum(['receipt', ...DISPUTE_FILE_FIELDS]),
  type: z.enum(DISPUTE_FILE_TYPES),
  bytes: z.int(),
  date: Time,
  admin: z.nullable(z.string()),
  adminId: z.nullable(Id),
})
export type DisputeFile = z.infer<typeof DisputeFile>

/** An entry of a payment's time line, oldest first. `actor` is the Admin who did it; null where the server did. */
export const TimelineEntry = z.object({
  date: Time,
  kind: z.enum([
    'paid',
    'fraud_warning',
    'dispute_opened',
    'dispute_changed',
    'buyer_frozen',
    'freeze_ended',
    'tasks_held',
    'tasks_released',
    'tasks_closed',
    'evidence_saved',
    'evidence_submitted',
    'refund_requested',
    'refund_approved',
    'refund_cancelled',
    'refund_made',
    'refund_failed',
    'reversed',
    'task_posted',
    'task_topped_up',
    'task_reopened',
    'slot_reopened',
    'work_paid',
    'bonus_paid',
    'withdrawal_requested',
    'withdrawal_approved',
    'withdrawal_declined',
    'withdrawal_cancelled',
  ]),
  actor: z.nullable(z.string()),
  actorId: z.nullable(Id),
  /** The user, task or state that it is about. */
  subject: z.string(),
  /** Set when `subject` is the name of a user. */
  userId: z.nullable(Id),
  dollars: z.nullable(z.number()),
  coins: z.nullable(z.int()),
})
export type TimelineEntry = z.infer<typeof TimelineEntry>

export const listCardDisputes = endpoint({
  method: 'GET',
  path: '/card-disputes',
  summary: 'Disputes of card payments: open ones first, by their deadline',
  access: { who: ['Admin'] },
  reply: z.array(CardDispute),
})

/**
 * Without saved evidence, `evidence` is prepared from what is known about the payment, and its `version` is 0. The version
 * rises each time that it is saved.
 */
export const cardDispute = endpoint({
  method: 'GET',
  path: '/card-disputes/:id',
  summary: 'A dispute with its evidence and the time line of its payment',
  access: { who: ['Admin'] },
  params: DisputeId,
  reply: z.object({
    dispute: CardDispute,
    evidence: Evidence,
    version: z.int(),
    files: z.array(DisputeFile),
    timeline: z.array(TimelineEntry),
    /** The older entries about tasks, work and withdrawals that are left out. */
    timelineMore: z.int(),
  }),
})

const FileOfDispute = z.object({ ...DisputeId.shape, field: DisputeFileField })

/** The request is multipart with one field `file`, a PDF, JPEG or PNG file. It replaces the file before. */
export const addDisputeFile = endpoint({
  method: 'PUT',
  path: '/card-disputes/:id/files/:field',
  summary: 'Upload a file of the evidence for a dispute to the card processor',
  access: { who: ['Admin'], fresh: true },
  limit: { perUser: 60, perNetwork: 600 },
  params: FileOfDispute,
  upload: { form: 'file' },
  reply: z.array(DisputeFile),
  idempotency: 'own',
  errors: ['state_conflict', 'invalid_fields'],
})

export const removeDisputeFile = endpoint({
  method: 'DELETE',
  path: '/card-disputes/:id/files/:field',
  summary: 'Remove a file from the evidence for a dispute',
  access: { who: ['Admin'], fresh: true },
  limit: { perUser: 300, perNetwork: 3000 },
  params: FileOfDispute,
  reply: z.array(DisputeFile),
  idempotency: 'claimed',
})

/**
 * After `submit` nothing can be added, until the bank asks again. `version` is the version that the caller has seen. When another one
 * was saved since, the evidence is refused, so that no text is lost. The caller's own next version passes: the response may have been
 * lost.
 */
export const saveEvidence = endpoint({
  method: 'PUT',
  path: '/card-disputes/:id/evidence',
  summary: 'Save the evidence for a dispute, and submit it to the bank',
  access: { who: ['Admin'], fresh: true },
  limit: { perUser: 300, perNetwork: 3000 },
  params: DisputeId,
  body: z.object({
    evidence: Evidence,
    version: z.optional(Version),
    submit: z.boolean(),
  }),
  reply: CardDispute,
  idempotency: 'claimed',
})
