// Generated from contract/ by tests/openapi.test.ts. Do not edit.
/**
 * DO NOT MODIFY - This file has been generated using oazapfts.
 * See https://www.npmjs.com/package/oazapfts
 */
import * as Oazapfts from "@oazapfts/runtime";
import * as QS from "@oazapfts/runtime/query";
export const defaults: Oazapfts.Defaults<Oazapfts.CustomHeaders> = {
    headers: {},
    baseUrl: "/api"
};
const oazapfts = Oazapfts.runtime(defaults);
export const servers = {
    server1: "/api"
};
export type Error = {
    error: {
        code: string;
        message: string;
        fields?: {
            [key: string]: string;
        };
    };
};
/**
 * The caller's events as they come (text/event-stream), resumable by Last-Event-ID
 */
export function apiEvents(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: string;
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>("/events", {
        ...opts
    });
}
/**
 * Stand by a rejection that was appealed; a neutral reviewer decides
 */
export function defendRejection(id: string, body: {
    text: string;
}, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            acknowledged: boolean;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 409;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 415;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/submissions/${encodeURIComponent(id)}/defence`, oazapfts.json({
        ...opts,
        method: "POST",
        body,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * A submission with everything said and moved, for its worker, its buyer and its reviewer
 */
export function submissionCase(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            _id: string;
            viewer: "worker" | "buyer" | "reviewer";
            state: "pending" | "revision_requested" | "rejection_open" | "appealed" | "in_review" | "approved" | "rejected";
            dueAt: string | null;
            payable_amount: number;
            taskId: string | null;
            task_title: string;
            task_detail: string;
            submission_info: string;
            taskImg: string;
            taskCategory: "data_entry" | "research" | "survey" | "writing" | "translation" | "transcription" | "design" | "photo_video" | "labeling" | "testing" | "social_media" | "local" | "other";
            submissoin_data: string;
            item: number | null;
            category: ("instructions" | "incomplete" | "wrong" | "copied" | "duplicate" | "unusable") | null;
            requirement: string;
            reason: string;
            worker_name: string | null;
            buyer_name: string | null;
            held: boolean;
            round: number | null;
            slotReopened: boolean;
            reversibleUntil: string | null;
            isClosed: boolean;
            decides: boolean;
            steps: {
                at: string;
                step: "submitted" | "revision_requested" | "revised" | "revision_missed" | "rejected" | "appealed" | "defended" | "second_review" | "review_upheld" | "review_overturned" | "approved" | "rejection_final" | "slot_reopened" | "slot_refunded" | "bonus";
                text: string;
                pictures: string[];
                decidedBy: ("buyer" | "time" | "buyer_left" | "worker_left" | "worker" | "concession" | "silence" | "reviewer" | "no_reviewer" | "reversal" | "agreement") | null;
                coins: number | null;
            }[];
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/submissions/${encodeURIComponent(id)}/case`, {
        ...opts
    });
}
/**
 * One of the caller's batches, with its progress and cost
 */
export function batch(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            _id: string;
            projectId: string;
            projectVersion: number;
            title: string;
            fileName: string;
            state: "uploading" | "checking" | "checked" | "funding" | "open" | "cancelled";
            bytes: number;
            rowsRead: number;
            pictures: number;
            picturesChecked: number;
            items: number;
            goldenItems: number;
            columns: string[];
            encoding: string | null;
            separator: string | null;
            errors: number;
            warnings: number;
            cost: {
                items: number;
                workersPerItem: number;
                reward: number;
                pay: number;
                fee: number;
                total: number;
            } | null;
            itemsWritten: number;
            fundingRefusal: string | null;
            scheduled: {
                postAt: string;
                completion_date: string;
                total: number;
            } | null;
            taskId: string | null;
            workersPerItem: number;
            itemsToppedUp: number | null;
            completionDate: string | null;
            isClosed: boolean;
            createdAt: string;
            checkedAt: string | null;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/batches/${encodeURIComponent(id)}`, {
        ...opts
    });
}
/**
 * The first five items of a checked batch as a worker sees them
 */
export function batchPreview(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            title: string;
            instructions: string;
            pictures: {
                column: string;
                url: string;
            }[];
            examples: {
                text: string;
                good: boolean;
            }[];
            form: {
                fields: ({
                    name: string;
                    label: string;
                    help?: string;
                    required: boolean;
                    "type": "text";
                    minLength?: number;
                    maxLength?: number;
                    pattern?: string;
                    patternHint?: string;
                } | {
                    name: string;
                    label: string;
                    help?: string;
                    required: boolean;
                    "type": "long_text";
                    minLength?: number;
                    maxLength?: number;
                } | {
                    name: string;
                    label: string;
                    help?: string;
                    required: boolean;
                    "type": "number";
                    min?: number;
                    max?: number;
                    whole?: boolean;
                } | {
                    name: string;
                    label: string;
                    help?: string;
                    required: boolean;
                    "type": "choice";
                    options: string[];
                } | {
                    name: string;
                    label: string;
                    help?: string;
                    required: boolean;
                    "type": "choices";
                    options: string[];
                    min?: number;
                    max?: number;
                } | {
                    name: string;
                    label: string;
                    help?: string;
                    required: boolean;
                    "type": "link";
                } | {
                    name: string;
                    label: string;
                    help?: string;
                    required: boolean;
                    "type": "picture";
                    max?: number;
                })[];
            };
            reward: number;
            missing: string[];
        }[];
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/batches/${encodeURIComponent(id)}/preview`, {
        ...opts
    });
}
/**
 * The first 1,000 problems of the file of a batch, by row and column
 */
export function batchProblems(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            row: number | null;
            column: string | null;
            kind: "empty_file" | "too_many_rows" | "too_many_answers" | "too_many_columns" | "missing_column" | "unnamed_column" | "repeated_column" | "long_column" | "unread" | "quotes" | "not_json" | "not_text" | "unknown_column" | "cell_count" | "characters" | "long_value" | "empty_value" | "golden_question" | "golden_shown" | "golden_value" | "picture_url" | "repeated_row" | "picture_not_loaded" | "pictures_not_checked";
            isError: boolean;
            message: string;
        }[];
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/batches/${encodeURIComponent(id)}/problems`, {
        ...opts
    });
}
/**
 * The problems of the file of a batch as a CSV file
 */
export function batchReport(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: any;
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/batches/${encodeURIComponent(id)}/problems/csv`, {
        ...opts
    });
}
/**
 * The caller's batches, newest first
 */
export function batches({ limit, cursor, project, task }: {
    limit?: string;
    cursor?: string;
    project?: string;
    task?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            _id: string;
            projectId: string;
            projectVersion: number;
            title: string;
            fileName: string;
            state: "uploading" | "checking" | "checked" | "funding" | "open" | "cancelled";
            bytes: number;
            rowsRead: number;
            pictures: number;
            picturesChecked: number;
            items: number;
            goldenItems: number;
            columns: string[];
            encoding: string | null;
            separator: string | null;
            errors: number;
            warnings: number;
            cost: {
                items: number;
                workersPerItem: number;
                reward: number;
                pay: number;
                fee: number;
                total: number;
            } | null;
            itemsWritten: number;
            fundingRefusal: string | null;
            scheduled: {
                postAt: string;
                completion_date: string;
                total: number;
            } | null;
            taskId: string | null;
            workersPerItem: number;
            itemsToppedUp: number | null;
            completionDate: string | null;
            isClosed: boolean;
            createdAt: string;
            checkedAt: string | null;
        }[];
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/batches${QS.query(QS.explode({
        limit,
        cursor,
        project,
        task
    }))}`, {
        ...opts
    });
}
/**
 * Cancel a batch that is not paid; its file is deleted
 */
export function cancelBatch(id: string, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            _id: string;
            projectId: string;
            projectVersion: number;
            title: string;
            fileName: string;
            state: "uploading" | "checking" | "checked" | "funding" | "open" | "cancelled";
            bytes: number;
            rowsRead: number;
            pictures: number;
            picturesChecked: number;
            items: number;
            goldenItems: number;
            columns: string[];
            encoding: string | null;
            separator: string | null;
            errors: number;
            warnings: number;
            cost: {
                items: number;
                workersPerItem: number;
                reward: number;
                pay: number;
                fee: number;
                total: number;
            } | null;
            itemsWritten: number;
            fundingRefusal: string | null;
            scheduled: {
                postAt: string;
                completion_date: string;
                total: number;
            } | null;
            taskId: string | null;
            workersPerItem: number;
            itemsToppedUp: number | null;
            completionDate: string | null;
            isClosed: boolean;
            createdAt: string;
            checkedAt: string | null;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 409;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 415;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/batches/${encodeURIComponent(id)}/cancel`, {
        ...opts,
        method: "POST",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    });
}
/**
 * End the upload and check every row and picture in the background; nothing is paid
 */
export function checkBatch(id: string, body: {
    bytes: number;
}, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 202;
        data: {
            _id: string;
            projectId: string;
            projectVersion: number;
            title: string;
            fileName: string;
            state: "uploading" | "checking" | "checked" | "funding" | "open" | "cancelled";
            bytes: number;
            rowsRead: number;
            pictures: number;
            picturesChecked: number;
            items: number;
            goldenItems: number;
            columns: string[];
            encoding: string | null;
            separator: string | null;
            errors: number;
            warnings: number;
            cost: {
                items: number;
                workersPerItem: number;
                reward: number;
                pay: number;
                fee: number;
                total: number;
            } | null;
            itemsWritten: number;
            fundingRefusal: string | null;
            scheduled: {
                postAt: string;
                completion_date: string;
                total: number;
            } | null;
            taskId: string | null;
            workersPerItem: number;
            itemsToppedUp: number | null;
            completionDate: string | null;
            isClosed: boolean;
            createdAt: string;
            checkedAt: string | null;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 409;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 415;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/batches/${encodeURIComponent(id)}/check`, oazapfts.json({
        ...opts,
        method: "POST",
        body,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Begin the upload of a CSV or JSON lines file for a project
 */
export function createBatch(id: string, body: {
    fileName: string;
}, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 201;
        data: {
            _id: string;
            projectId: string;
            projectVersion: number;
            title: string;
            fileName: string;
            state: "uploading" | "checking" | "checked" | "funding" | "open" | "cancelled";
            bytes: number;
            rowsRead: number;
            pictures: number;
            picturesChecked: number;
            items: number;
            goldenItems: number;
            columns: string[];
            encoding: string | null;
            separator: string | null;
            errors: number;
            warnings: number;
            cost: {
                items: number;
                workersPerItem: number;
                reward: number;
                pay: number;
                fee: number;
                total: number;
            } | null;
            itemsWritten: number;
            fundingRefusal: string | null;
            scheduled: {
                postAt: string;
                completion_date: string;
                total: number;
            } | null;
            taskId: string | null;
            workersPerItem: number;
            itemsToppedUp: number | null;
            completionDate: string | null;
            isClosed: boolean;
            createdAt: string;
            checkedAt: string | null;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 409;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 415;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/projects/${encodeURIComponent(id)}/batches`, oazapfts.json({
        ...opts,
        method: "POST",
        body,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Fund a checked batch: its task is posted when all items are written
 */
export function fundBatch(id: string, body: {
    completion_date: string;
    total: number;
}, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 202;
        data: {
            _id: string;
            projectId: string;
            projectVersion: number;
            title: string;
            fileName: string;
            state: "uploading" | "checking" | "checked" | "funding" | "open" | "cancelled";
            bytes: number;
            rowsRead: number;
            pictures: number;
            picturesChecked: number;
            items: number;
            goldenItems: number;
            columns: string[];
            encoding: string | null;
            separator: string | null;
            errors: number;
            warnings: number;
            cost: {
                items: number;
                workersPerItem: number;
                reward: number;
                pay: number;
                fee: number;
                total: number;
            } | null;
            itemsWritten: number;
            fundingRefusal: string | null;
            scheduled: {
                postAt: string;
                completion_date: string;
                total: number;
            } | null;
            taskId: string | null;
            workersPerItem: number;
            itemsToppedUp: number | null;
            completionDate: string | null;
            isClosed: boolean;
            createdAt: string;
            checkedAt: string | null;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 409;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 415;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/batches/${encodeURIComponent(id)}/funding`, oazapfts.json({
        ...opts,
        method: "POST",
        body,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Set the time at which a checked batch is paid and posted, or null for none
 */
export function scheduleBatch(id: string, body: {
    scheduled: {
        completion_date: string;
        total: number;
        postAt: string;
    } | null;
}, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            _id: string;
            projectId: string;
            projectVersion: number;
            title: string;
            fileName: string;
            state: "uploading" | "checking" | "checked" | "funding" | "open" | "cancelled";
            bytes: number;
            rowsRead: number;
            pictures: number;
            picturesChecked: number;
            items: number;
            goldenItems: number;
            columns: string[];
            encoding: string | null;
            separator: string | null;
            errors: number;
            warnings: number;
            cost: {
                items: number;
                workersPerItem: number;
                reward: number;
                pay: number;
                fee: number;
                total: number;
            } | null;
            itemsWritten: number;
            fundingRefusal: string | null;
            scheduled: {
                postAt: string;
                completion_date: string;
                total: number;
            } | null;
            taskId: string | null;
            workersPerItem: number;
            itemsToppedUp: number | null;
            completionDate: string | null;
            isClosed: boolean;
            createdAt: string;
            checkedAt: string | null;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 409;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 415;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/batches/${encodeURIComponent(id)}/schedule`, oazapfts.json({
        ...opts,
        method: "PUT",
        body,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Add workers to every item of an open batch; their whole cost moves at once
 */
export function topUpBatch(id: string, body: {
    workersPerItem: number;
    total: number;
}, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            _id: string;
            projectId: string;
            projectVersion: number;
            title: string;
            fileName: string;
            state: "uploading" | "checking" | "checked" | "funding" | "open" | "cancelled";
            bytes: number;
            rowsRead: number;
            pictures: number;
            picturesChecked: number;
            items: number;
            goldenItems: number;
            columns: string[];
            encoding: string | null;
            separator: string | null;
            errors: number;
            warnings: number;
            cost: {
                items: number;
                workersPerItem: number;
                reward: number;
                pay: number;
                fee: number;
                total: number;
            } | null;
            itemsWritten: number;
            fundingRefusal: string | null;
            scheduled: {
                postAt: string;
                completion_date: string;
                total: number;
            } | null;
            taskId: string | null;
            workersPerItem: number;
            itemsToppedUp: number | null;
            completionDate: string | null;
            isClosed: boolean;
            createdAt: string;
            checkedAt: string | null;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 409;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 415;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/batches/${encodeURIComponent(id)}/workers`, oazapfts.json({
        ...opts,
        method: "PUT",
        body,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * The workers of a batch by their pseudonyms, with how far their answers agree
 */
export function batchWorkers(id: string, { limit, cursor }: {
    limit?: string;
    cursor?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            worker: string;
            answers: number;
            golden: number;
            right: number;
            compared: number;
            agreeing: number;
            score: number | null;
            scoreOf: ("golden" | "agreement") | null;
            isOffered: boolean;
            errorRates: {
                name: string;
                rate: number | null;
            }[];
        }[];
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/batches/${encodeURIComponent(id)}/workers${QS.query(QS.explode({
        limit,
        cursor
    }))}`, {
        ...opts
    });
}
/**
 * Upload a chunk of the file of a batch, in base64
 */
export function uploadChunk(id: string, $number: string, body: {
    content: string;
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            bytes: number;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 409;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 415;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/batches/${encodeURIComponent(id)}/chunks/${encodeURIComponent($number)}`, oazapfts.json({
        ...opts,
        method: "PUT",
        body
    }));
}
/**
 * Per item of a batch, the majority and the estimated true answer to each question with options
 */
export function batchAgreement(id: string, { limit, cursor, disagreeing, item }: {
    limit?: string;
    cursor?: string;
    disagreeing?: "true";
    item?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            item: number;
            input: {
                [key: string]: string;
            };
            answers: number;
            share: number | null;
            questions: {
                name: string;
                answers: number;
                majority: (string | string[]) | null;
                isTie: boolean;
                share: number;
                estimate: (string | string[]) | null;
                probability: number;
            }[];
        }[];
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/batches/${encodeURIComponent(id)}/agreement${QS.query(QS.explode({
        limit,
        cursor,
        disagreeing,
        item
    }))}`, {
        ...opts
    });
}
/**
 * How far the answers to the questions of a batch with options agree
 */
export function batchAgreementSummary(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            computedAt: string | null;
            isDue: boolean;
            answers: number;
            questions: {
                name: string;
                label: string;
                items: number;
                unanimous: number;
                tied: number;
                share: number;
                iterations: number;
                isConverged: boolean;
            }[];
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/batches/${encodeURIComponent(id)}/agreement/summary`, {
        ...opts
    });
}
/**
 * The answers to a batch's items, by item or newest first
 */
export function batchAnswers(id: string, { limit, cursor, state, worker, q, disagreeing, sort }: {
    limit?: string;
    cursor?: string;
    state?: "pending" | "revision_requested" | "rejection_open" | "appealed" | "in_review" | "approved" | "rejected";
    worker?: string;
    q?: string;
    disagreeing?: "true";
    sort?: "item" | "newest";
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            _id: string;
            item: number;
            input: {
                [key: string]: string;
            };
            worker: string;
            answers: {
                [key: string]: string | number | string[];
            };
            state: "pending" | "revision_requested" | "rejection_open" | "appealed" | "in_review" | "approved" | "rejected";
            acceptedAt: string | null;
            submittedAt: string;
            approvedAt: string | null;
            rejectedAt: string | null;
            workSeconds: number | null;
            reason: string;
            agreement: number | null;
            isMajority: boolean | null;
            known: {
                [key: string]: string | number | string[];
            } | null;
            isRight: boolean | null;
        }[];
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/batches/${encodeURIComponent(id)}/answers${QS.query(QS.explode({
        limit,
        cursor,
        state,
        worker,
        q,
        disagreeing,
        sort
    }))}`, {
        ...opts
    });
}
/**
 * All answers to a batch's items as a CSV file, with columns for decisions
 */
export function batchAnswersCsv(id: string, { raw }: {
    raw?: "true";
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: any;
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/batches/${encodeURIComponent(id)}/answers/csv${QS.query(QS.explode({
        raw
    }))}`, {
        ...opts
    });
}
/**
 * All answers to a batch's items as JSON lines, with names for decisions
 */
export function batchAnswersJsonLines(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: any;
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/batches/${encodeURIComponent(id)}/answers/json-lines`, {
        ...opts
    });
}
/**
 * The answers to the questions of a batch that have options or numbers, counted
 */
export function batchSummary(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            name: string;
            label: string;
            answers: number;
            options: {
                option: string;
                count: number;
            }[];
            numbers: {
                count: number;
                min: number;
                max: number;
                mean: number;
                median: number;
                ranges: {
                    "from": number;
                    to: number;
                    count: number;
                }[];
            } | null;
        }[];
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/batches/${encodeURIComponent(id)}/summary`, {
        ...opts
    });
}
/**
 * Approve and reject answers to a batch, each on its own, or preview the results
 */
export function decideBatch(id: string, body: {
    preview: boolean;
    decisions: {
        submission: string;
        decision: "approve" | "reject";
        reason?: string;
        category?: "instructions" | "incomplete" | "wrong" | "copied" | "duplicate" | "unusable";
        requirement?: string;
    }[];
}, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            submission: string;
            result: "approved" | "rejected" | "unchanged" | "refused";
            error: {
                code: string;
                message: string;
            } | null;
        }[];
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 409;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 415;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/batches/${encodeURIComponent(id)}/decisions`, oazapfts.json({
        ...opts,
        method: "POST",
        body,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * The item that a submission is about, with its answers
 */
export function itemOfSubmission(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            title: string;
            instructions: string;
            pictures: {
                column: string;
                url: string;
            }[];
            examples: {
                text: string;
                good: boolean;
            }[];
            form: {
                fields: ({
                    name: string;
                    label: string;
                    help?: string;
                    required: boolean;
                    "type": "text";
                    minLength?: number;
                    maxLength?: number;
                    pattern?: string;
                    patternHint?: string;
                } | {
                    name: string;
                    label: string;
                    help?: string;
                    required: boolean;
                    "type": "long_text";
                    minLength?: number;
                    maxLength?: number;
                } | {
                    name: string;
                    label: string;
                    help?: string;
                    required: boolean;
                    "type": "number";
                    min?: number;
                    max?: number;
                    whole?: boolean;
                } | {
                    name: string;
                    label: string;
                    help?: string;
                    required: boolean;
                    "type": "choice";
                    options: string[];
                } | {
                    name: string;
                    label: string;
                    help?: string;
                    required: boolean;
                    "type": "choices";
                    options: string[];
                    min?: number;
                    max?: number;
                } | {
                    name: string;
                    label: string;
                    help?: string;
                    required: boolean;
                    "type": "link";
                } | {
                    name: string;
                    label: string;
                    help?: string;
                    required: boolean;
                    "type": "picture";
                    max?: number;
                })[];
            };
            reward: number;
            "number": number;
            answers: {
                [key: string]: string | number | string[];
            };
            input: {
                [key: string]: string;
            } | null;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/submissions/${encodeURIComponent(id)}/item`, {
        ...opts
    });
}
/**
 * A user's coin statement with the running balance, newest first
 */
export function statement(email: string, { limit, cursor }: {
    limit?: string;
    cursor?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            _id: string;
            kind: string;
            text: string;
            coins: number;
            balance: number;
            debt: number;
            time: string;
        }[];
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/statement/${encodeURIComponent(email)}${QS.query(QS.explode({
        limit,
        cursor
    }))}`, {
        ...opts
    });
}
/**
 * A month of a user's coin statement with its totals and receipts
 */
export function monthlyStatement(email: string, month: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            month: string;
            name: string;
            email: string;
            seller: {
                name: string;
                address: string;
                email: string;
                taxNumber: string;
                tax: string;
            };
            opening: number;
            closing: number;
            transfers: number;
            totals: {
                kind: string;
                text: string;
                coins: number;
                transfers: number;
            }[];
            lines: {
                _id: string;
                kind: string;
                text: string;
                coins: number;
                balance: number;
                debt: number;
                time: string;
            }[];
            receipts: {
                _id: string;
                "number": string;
                kind: "purchase" | "refund" | "payout";
                date: string;
                total: number;
                taxAmount: number;
            }[];
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/monthly-statements/${encodeURIComponent(email)}/${encodeURIComponent(month)}`, {
        ...opts
    });
}
/**
 * Offer a worker no more work of the caller, with a reason that Admins can read
 */
export function blockWorker(worker: string, body: {
    reason: string;
}, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            acknowledged: boolean;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 409;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 415;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/my-workers/${encodeURIComponent(worker)}/block`, oazapfts.json({
        ...opts,
        method: "PUT",
        body,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * End a block of the caller's
 */
export function unblockWorker(worker: string, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            acknowledged: boolean;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 415;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/my-workers/${encodeURIComponent(worker)}/block`, {
        ...opts,
        method: "DELETE",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    });
}
/**
 * The workers who have worked for the caller, the last one first
 */
export function myWorkers({ limit, cursor, q, state, qualification }: {
    limit?: string;
    cursor?: string;
    q?: string;
    state?: "favourite" | "blocked";
    qualification?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            worker: string;
            name: string;
            submitted: number;
            approved: number;
            rejected: number;
            lastAt: string;
            favourite: boolean;
            block: {
                reason: string;
                since: string;
            } | null;
            qualifications: string[];
            earned: {
                qualification: string;
                right: number;
                answers: number;
            }[];
        }[];
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/my-workers${QS.query(QS.explode({
        limit,
        cursor,
        q,
        state,
        qualification
    }))}`, {
        ...opts
    });
}
/**
 * Make a worker a favourite, or end that
 */
export function setFavouriteWorker(worker: string, body: {
    favourite: boolean;
}, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            acknowledged: boolean;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 415;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/my-workers/${encodeURIComponent(worker)}/favourite`, oazapfts.json({
        ...opts,
        method: "PUT",
        body,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * The caller's notifications, newest first: all, unread ones, or those of a category
 */
export function myNotifications({ limit, cursor, unread, category }: {
    limit?: string;
    cursor?: string;
    unread?: "true";
    category?: "work" | "money" | "account";
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            _id: string;
            message: string;
            time: string;
            actionRoute: string;
            read: boolean;
            kind: string;
            title: string | null;
            actor: string | null;
            coins: number | null;
            count: number | null;
        }[];
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/my-notifications${QS.query(QS.explode({
        limit,
        cursor,
        unread,
        category
    }))}`, {
        ...opts
    });
}
/**
 * A user's card payments, newest first
 */
export function paymentHistory(email: string, { limit, cursor }: {
    limit?: string;
    cursor?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            _id: string;
            receipt: number;
            email: string;
            coins: number;
            price: number;
            transactionId: string;
            date: string;
            status: "Success" | "Refunded" | "Disputed";
            card: {
                brand: string;
                last4: string;
            } | null;
            returned: {
                price: number;
                coins: number;
            };
            real: boolean;
        }[];
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/payment-history/${encodeURIComponent(email)}${QS.query(QS.explode({
        limit,
        cursor
    }))}`, {
        ...opts
    });
}
/**
 * The receipt of a payment, for its owner or an Admin
 */
export function paymentReceipt(transactionId: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            _id: string;
            receipt: number;
            email: string;
            coins: number;
            price: number;
            transactionId: string;
            date: string;
            status: "Success" | "Refunded" | "Disputed";
            card: {
                brand: string;
                last4: string;
            } | null;
            returned: {
                price: number;
                coins: number;
            };
            real: boolean;
            name: string;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/payments/${encodeURIComponent(transactionId)}`, {
        ...opts
    });
}
/**
 * Change a project; batches that were made before keep their version
 */
export function changeProject(id: string, body: {
    title: string;
    instructions: string;
    pictureColumns: string[];
    examples: {
        text: string;
        good: boolean;
    }[];
    form: {
        fields: ({
            name: string;
            label: string;
            help?: string;
            required: boolean;
            "type": "text";
            minLength?: number;
            maxLength?: number;
            pattern?: string;
            patternHint?: string;
        } | {
            name: string;
            label: string;
            help?: string;
            required: boolean;
            "type": "long_text";
            minLength?: number;
            maxLength?: number;
        } | {
            name: string;
            label: string;
            help?: string;
            required: boolean;
            "type": "number";
            min?: number;
            max?: number;
            whole?: boolean;
        } | {
            name: string;
            label: string;
            help?: string;
            required: boolean;
            "type": "choice";
            options: string[];
        } | {
            name: string;
            label: string;
            help?: string;
            required: boolean;
            "type": "choices";
            options: string[];
            min?: number;
            max?: number;
        } | {
            name: string;
            label: string;
            help?: string;
            required: boolean;
            "type": "link";
        } | {
            name: string;
            label: string;
            help?: string;
            required: boolean;
            "type": "picture";
            max?: number;
        })[];
    };
    category: "data_entry" | "research" | "survey" | "writing" | "translation" | "transcription" | "design" | "photo_video" | "labeling" | "testing" | "social_media" | "local" | "other";
    reward: number;
    workersPerItem: number;
    reviewHours: number | null;
    reservationMinutes: number;
    quality?: {
        leastScore: number | null;
        scoreAfter: number;
        approveShare: number | null;
    };
    audience?: {
        visibility: "everyone" | "favourites_first" | "link";
        qualifications: string[];
        approvalPercentMin: number | null;
        approvedMin: number | null;
        language: ("bn" | "en" | "ar" | "de" | "es" | "fr" | "gu" | "hi" | "id" | "it" | "ja" | "ko" | "ml" | "mr" | "ms" | "ne" | "or" | "pa" | "pt" | "ru" | "si" | "ta" | "te" | "th" | "tr" | "ur" | "vi" | "zh") | null;
    };
    version: number;
}, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            title: string;
            instructions: string;
            pictureColumns: string[];
            examples: {
                text: string;
                good: boolean;
            }[];
            form: {
                fields: ({
                    name: string;
                    label: string;
                    help?: string;
                    required: boolean;
                    "type": "text";
                    minLength?: number;
                    maxLength?: number;
                    pattern?: string;
                    patternHint?: string;
                } | {
                    name: string;
                    label: string;
                    help?: string;
                    required: boolean;
                    "type": "long_text";
                    minLength?: number;
                    maxLength?: number;
                } | {
                    name: string;
                    label: string;
                    help?: string;
                    required: boolean;
                    "type": "number";
                    min?: number;
                    max?: number;
                    whole?: boolean;
                } | {
                    name: string;
                    label: string;
                    help?: string;
                    required: boolean;
                    "type": "choice";
                    options: string[];
                } | {
                    name: string;
                    label: string;
                    help?: string;
                    required: boolean;
                    "type": "choices";
                    options: string[];
                    min?: number;
                    max?: number;
                } | {
                    name: string;
                    label: string;
                    help?: string;
                    required: boolean;
                    "type": "link";
                } | {
                    name: string;
                    label: string;
                    help?: string;
                    required: boolean;
                    "type": "picture";
                    max?: number;
                })[];
            };
            category: "data_entry" | "research" | "survey" | "writing" | "translation" | "transcription" | "design" | "photo_video" | "labeling" | "testing" | "social_media" | "local" | "other";
            reward: number;
            workersPerItem: number;
            reviewHours: number | null;
            reservationMinutes: number;
            quality?: {
                leastScore: number | null;
                scoreAfter: number;
                approveShare: number | null;
            };
            audience?: {
                visibility: "everyone" | "favourites_first" | "link";
                qualifications: string[];
                approvalPercentMin: number | null;
                approvedMin: number | null;
                language: ("bn" | "en" | "ar" | "de" | "es" | "fr" | "gu" | "hi" | "id" | "it" | "ja" | "ko" | "ml" | "mr" | "ms" | "ne" | "or" | "pa" | "pt" | "ru" | "si" | "ta" | "te" | "th" | "tr" | "ur" | "vi" | "zh") | null;
            };
            _id: string;
            version: number;
            columns: string[];
            createdAt: string;
            changedAt: string;
            archivedAt: string | null;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 409;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 415;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/projects/${encodeURIComponent(id)}`, oazapfts.json({
        ...opts,
        method: "PUT",
        body,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * One of the caller's projects
 */
export function project(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            title: string;
            instructions: string;
            pictureColumns: string[];
            examples: {
                text: string;
                good: boolean;
            }[];
            form: {
                fields: ({
                    name: string;
                    label: string;
                    help?: string;
                    required: boolean;
                    "type": "text";
                    minLength?: number;
                    maxLength?: number;
                    pattern?: string;
                    patternHint?: string;
                } | {
                    name: string;
                    label: string;
                    help?: string;
                    required: boolean;
                    "type": "long_text";
                    minLength?: number;
                    maxLength?: number;
                } | {
                    name: string;
                    label: string;
                    help?: string;
                    required: boolean;
                    "type": "number";
                    min?: number;
                    max?: number;
                    whole?: boolean;
                } | {
                    name: string;
                    label: string;
                    help?: string;
                    required: boolean;
                    "type": "choice";
                    options: string[];
                } | {
                    name: string;
                    label: string;
                    help?: string;
                    required: boolean;
                    "type": "choices";
                    options: string[];
                    min?: number;
                    max?: number;
                } | {
                    name: string;
                    label: string;
                    help?: string;
                    required: boolean;
                    "type": "link";
                } | {
                    name: string;
                    label: string;
                    help?: string;
                    required: boolean;
                    "type": "picture";
                    max?: number;
                })[];
            };
            category: "data_entry" | "research" | "survey" | "writing" | "translation" | "transcription" | "design" | "photo_video" | "labeling" | "testing" | "social_media" | "local" | "other";
            reward: number;
            workersPerItem: number;
            reviewHours: number | null;
            reservationMinutes: number;
            quality?: {
                leastScore: number | null;
                scoreAfter: number;
                approveShare: number | null;
            };
            audience?: {
                visibility: "everyone" | "favourites_first" | "link";
                qualifications: string[];
                approvalPercentMin: number | null;
                approvedMin: number | null;
                language: ("bn" | "en" | "ar" | "de" | "es" | "fr" | "gu" | "hi" | "id" | "it" | "ja" | "ko" | "ml" | "mr" | "ms" | "ne" | "or" | "pa" | "pt" | "ru" | "si" | "ta" | "te" | "th" | "tr" | "ur" | "vi" | "zh") | null;
            };
            _id: string;
            version: number;
            columns: string[];
            createdAt: string;
            changedAt: string;
            archivedAt: string | null;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/projects/${encodeURIComponent(id)}`, {
        ...opts
    });
}
/**
 * Create a project: a template of tasks with an answer form
 */
export function createProject(body: {
    title: string;
    instructions: string;
    pictureColumns: string[];
    examples: {
        text: string;
        good: boolean;
    }[];
    form: {
        fields: ({
            name: string;
            label: string;
            help?: string;
            required: boolean;
            "type": "text";
            minLength?: number;
            maxLength?: number;
            pattern?: string;
            patternHint?: string;
        } | {
            name: string;
            label: string;
            help?: string;
            required: boolean;
            "type": "long_text";
            minLength?: number;
            maxLength?: number;
        } | {
            name: string;
            label: string;
            help?: string;
            required: boolean;
            "type": "number";
            min?: number;
            max?: number;
            whole?: boolean;
        } | {
            name: string;
            label: string;
            help?: string;
            required: boolean;
            "type": "choice";
            options: string[];
        } | {
            name: string;
            label: string;
            help?: string;
            required: boolean;
            "type": "choices";
            options: string[];
            min?: number;
            max?: number;
        } | {
            name: string;
            label: string;
            help?: string;
            required: boolean;
            "type": "link";
        } | {
            name: string;
            label: string;
            help?: string;
            required: boolean;
            "type": "picture";
            max?: number;
        })[];
    };
    category: "data_entry" | "research" | "survey" | "writing" | "translation" | "transcription" | "design" | "photo_video" | "labeling" | "testing" | "social_media" | "local" | "other";
    reward: number;
    workersPerItem: number;
    reviewHours: number | null;
    reservationMinutes: number;
    quality?: {
        leastScore: number | null;
        scoreAfter: number;
        approveShare: number | null;
    };
    audience?: {
        visibility: "everyone" | "favourites_first" | "link";
        qualifications: string[];
        approvalPercentMin: number | null;
        approvedMin: number | null;
        language: ("bn" | "en" | "ar" | "de" | "es" | "fr" | "gu" | "hi" | "id" | "it" | "ja" | "ko" | "ml" | "mr" | "ms" | "ne" | "or" | "pa" | "pt" | "ru" | "si" | "ta" | "te" | "th" | "tr" | "ur" | "vi" | "zh") | null;
    };
}, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 201;
        data: {
            title: string;
            instructions: string;
            pictureColumns: string[];
            examples: {
                text: string;
                good: boolean;
            }[];
            form: {
                fields: ({
                    name: string;
                    label: string;
                    help?: string;
                    required: boolean;
                    "type": "text";
                    minLength?: number;
                    maxLength?: number;
                    pattern?: string;
                    patternHint?: string;
                } | {
                    name: string;
                    label: string;
                    help?: string;
                    required: boolean;
                    "type": "long_text";
                    minLength?: number;
                    maxLength?: number;
                } | {
                    name: string;
                    label: string;
                    help?: string;
                    required: boolean;
                    "type": "number";
                    min?: number;
                    max?: number;
                    whole?: boolean;
                } | {
                    name: string;
                    label: string;
                    help?: string;
                    required: boolean;
                    "type": "choice";
                    options: string[];
                } | {
                    name: string;
                    label: string;
                    help?: string;
                    required: boolean;
                    "type": "choices";
                    options: string[];
                    min?: number;
                    max?: number;
                } | {
                    name: string;
                    label: string;
                    help?: string;
                    required: boolean;
                    "type": "link";
                } | {
                    name: string;
                    label: string;
                    help?: string;
                    required: boolean;
                    "type": "picture";
                    max?: number;
                })[];
            };
            category: "data_entry" | "research" | "survey" | "writing" | "translation" | "transcription" | "design" | "photo_video" | "labeling" | "testing" | "social_media" | "local" | "other";
            reward: number;
            workersPerItem: number;
            reviewHours: number | null;
            reservationMinutes: number;
            quality?: {
                leastScore: number | null;
                scoreAfter: number;
                approveShare: number | null;
            };
            audience?: {
                visibility: "everyone" | "favourites_first" | "link";
                qualifications: string[];
                approvalPercentMin: number | null;
                approvedMin: number | null;
                language: ("bn" | "en" | "ar" | "de" | "es" | "fr" | "gu" | "hi" | "id" | "it" | "ja" | "ko" | "ml" | "mr" | "ms" | "ne" | "or" | "pa" | "pt" | "ru" | "si" | "ta" | "te" | "th" | "tr" | "ur" | "vi" | "zh") | null;
            };
            _id: string;
            version: number;
            columns: string[];
            createdAt: string;
            changedAt: string;
            archivedAt: string | null;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 409;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 415;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>("/projects", oazapfts.json({
        ...opts,
        method: "POST",
        body,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * The caller's projects with the work on them, newest first; archived ones only with `archived`
 */
export function projects({ limit, cursor, archived, q }: {
    limit?: string;
    cursor?: string;
    archived?: "true" | "false";
    q?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            _id: string;
            title: string;
            version: number;
            reward: number;
            workersPerItem: number;
            createdAt: string;
            changedAt: string;
            archivedAt: string | null;
            activeAt: string;
            work: {
                batches: number;
                unpaidBatches: number;
                failedBatches: number;
                items: number;
                slots: number;
                reserved: number;
                pending: number;
                done: number;
                escrow: number;
            };
        }[];
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/projects${QS.query(QS.explode({
        limit,
        cursor,
        archived,
        q
    }))}`, {
        ...opts
    });
}
/**
 * An item of a project as a worker sees it; stores nothing
 */
export function previewProject(id: string, body: {
    input: {
        [key: string]: string;
    };
    answers?: {
        [key: string]: string | number | string[];
    };
}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            title: string;
            instructions: string;
            pictures: {
                column: string;
                url: string;
            }[];
            examples: {
                text: string;
                good: boolean;
            }[];
            form: {
                fields: ({
                    name: string;
                    label: string;
                    help?: string;
                    required: boolean;
                    "type": "text";
                    minLength?: number;
                    maxLength?: number;
                    pattern?: string;
                    patternHint?: string;
                } | {
                    name: string;
                    label: string;
                    help?: string;
                    required: boolean;
                    "type": "long_text";
                    minLength?: number;
                    maxLength?: number;
                } | {
                    name: string;
                    label: string;
                    help?: string;
                    required: boolean;
                    "type": "number";
                    min?: number;
                    max?: number;
                    whole?: boolean;
                } | {
                    name: string;
                    label: string;
                    help?: string;
                    required: boolean;
                    "type": "choice";
                    options: string[];
                } | {
                    name: string;
                    label: string;
                    help?: string;
                    required: boolean;
                    "type": "choices";
                    options: string[];
                    min?: number;
                    max?: number;
                } | {
                    name: string;
                    label: string;
                    help?: string;
                    required: boolean;
                    "type": "link";
                } | {
                    name: string;
                    label: string;
                    help?: string;
                    required: boolean;
                    "type": "picture";
                    max?: number;
                })[];
            };
            reward: number;
            missing: string[];
            answerText: string | null;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 415;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/projects/${encodeURIComponent(id)}/preview`, oazapfts.json({
        ...opts,
        method: "POST",
        body
    }));
}
/**
 * Archive a project, or bring it back; an archived one takes no batches
 */
export function setProjectArchived(id: string, body: {
    archived: boolean;
}, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            title: string;
            instructions: string;
            pictureColumns: string[];
            examples: {
                text: string;
                good: boolean;
            }[];
            form: {
                fields: ({
                    name: string;
                    label: string;
                    help?: string;
                    required: boolean;
                    "type": "text";
                    minLength?: number;
                    maxLength?: number;
                    pattern?: string;
                    patternHint?: string;
                } | {
                    name: string;
                    label: string;
                    help?: string;
                    required: boolean;
                    "type": "long_text";
                    minLength?: number;
                    maxLength?: number;
                } | {
                    name: string;
                    label: string;
                    help?: string;
                    required: boolean;
                    "type": "number";
                    min?: number;
                    max?: number;
                    whole?: boolean;
                } | {
                    name: string;
                    label: string;
                    help?: string;
                    required: boolean;
                    "type": "choice";
                    options: string[];
                } | {
                    name: string;
                    label: string;
                    help?: string;
                    required: boolean;
                    "type": "choices";
                    options: string[];
                    min?: number;
                    max?: number;
                } | {
                    name: string;
                    label: string;
                    help?: string;
                    required: boolean;
                    "type": "link";
                } | {
                    name: string;
                    label: string;
                    help?: string;
                    required: boolean;
                    "type": "picture";
                    max?: number;
                })[];
            };
            category: "data_entry" | "research" | "survey" | "writing" | "translation" | "transcription" | "design" | "photo_video" | "labeling" | "testing" | "social_media" | "local" | "other";
            reward: number;
            workersPerItem: number;
            reviewHours: number | null;
            reservationMinutes: number;
            quality?: {
                leastScore: number | null;
                scoreAfter: number;
                approveShare: number | null;
            };
            audience?: {
                visibility: "everyone" | "favourites_first" | "link";
                qualifications: string[];
                approvalPercentMin: number | null;
                approvedMin: number | null;
                language: ("bn" | "en" | "ar" | "de" | "es" | "fr" | "gu" | "hi" | "id" | "it" | "ja" | "ko" | "ml" | "mr" | "ms" | "ne" | "or" | "pa" | "pt" | "ru" | "si" | "ta" | "te" | "th" | "tr" | "ur" | "vi" | "zh") | null;
            };
            _id: string;
            version: number;
            columns: string[];
            createdAt: string;
            changedAt: string;
            archivedAt: string | null;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 409;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 415;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/projects/${encodeURIComponent(id)}/archived`, oazapfts.json({
        ...opts,
        method: "PUT",
        body,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Change the name and the description of a qualification
 */
export function changeQualification(id: string, body: {
    name: string;
    description: string;
}, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            name: string;
            description: string;
            _id: string;
            workers: number;
            test: {
                project: string;
                answersMin: number;
                percentMin: number;
                projectTitle: string;
            } | null;
            createdAt: string;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 409;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 415;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/qualifications/${encodeURIComponent(id)}`, oazapfts.json({
        ...opts,
        method: "PUT",
        body,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Delete a qualification that no open task requires
 */
export function deleteQualification(id: string, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 409;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 415;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/qualifications/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    });
}
/**
 * Create a qualification, which tasks can require
 */
export function createQualification(body: {
    name: string;
    description: string;
}, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 201;
        data: {
            name: string;
            description: string;
            _id: string;
            workers: number;
            test: {
                project: string;
                answersMin: number;
                percentMin: number;
                projectTitle: string;
            } | null;
            createdAt: string;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 409;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 415;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>("/qualifications", oazapfts.json({
        ...opts,
        method: "POST",
        body,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * The caller's qualifications, by name
 */
export function qualifications(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            name: string;
            description: string;
            _id: string;
            workers: number;
            test: {
                project: string;
                answersMin: number;
                percentMin: number;
                projectTitle: string;
            } | null;
            createdAt: string;
        }[];
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>("/qualifications", {
        ...opts
    });
}
/**
 * Let workers earn a qualification no more; those who have it keep it
 */
export function removeQualificationTest(id: string, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            name: string;
            description: string;
            _id: string;
            workers: number;
            test: {
                project: string;
                answersMin: number;
                percentMin: number;
                projectTitle: string;
            } | null;
            createdAt: string;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 415;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/qualifications/${encodeURIComponent(id)}/test`, {
        ...opts,
        method: "DELETE",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    });
}
/**
 * Let workers earn a qualification by answers to items with known answers
 */
export function setQualificationTest(id: string, body: {
    project: string;
    answersMin: number;
    percentMin: number;
}, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            name: string;
            description: string;
            _id: string;
            workers: number;
            test: {
                project: string;
                answersMin: number;
                percentMin: number;
                projectTitle: string;
            } | null;
            createdAt: string;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 415;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/qualifications/${encodeURIComponent(id)}/test`, oazapfts.json({
        ...opts,
        method: "PUT",
        body,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Grant a qualification to workers, or revoke it
 */
export function setQualifiedWorkers(id: string, body: {
    workers: string[];
    qualified: boolean;
}, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            changed: number;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 415;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/qualifications/${encodeURIComponent(id)}/workers`, oazapfts.json({
        ...opts,
        method: "PUT",
        body,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * A receipt, for its owner or an Admin
 */
export function receipt(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            _id: string;
            "number": string;
            kind: "purchase" | "refund" | "payout";
            date: string;
            total: number;
            taxAmount: number;
            seller: {
                name: string;
                address: string;
                email: string;
                taxNumber: string;
            };
            customer: {
                name: string;
                email: string;
            };
            lines: {
                text: string;
                coins: number;
                amount: number;
            }[];
            tax: {
                name: string;
                percent: number;
                amount: number;
                added: boolean;
            } | null;
            method: string;
            transactionId: string | null;
            taka: {
                poisha: number;
                rate: string;
                feePoisha: number | null;
            } | null;
            real: boolean;
            related: {
                _id: string;
                "number": string;
                kind: "purchase" | "refund" | "payout";
                date: string;
                total: number;
                taxAmount: number;
            }[];
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/receipts/${encodeURIComponent(id)}`, {
        ...opts
    });
}
/**
 * A receipt as a PDF file, for its owner or an Admin
 */
export function receiptFile(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: any;
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/receipts/${encodeURIComponent(id)}/pdf`, {
        ...opts
    });
}
/**
 * The caller's live reservations, the first to expire first
 */
export function myReservations(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            _id: string;
            taskId: string;
            taskVersion: number;
            expiresAt: string;
            item: number | null;
            task_title: string;
            payable_amount: number;
            task_image_url: string;
        }[];
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>("/my-reservations", {
        ...opts
    });
}
/**
 * Coins paid to workers, open slots, tasks posted, coins in escrow, wallet, submissions and pending reviews
 */
export function buyerStats(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            totalPaid: number;
            pendingWorkers: number;
            totalTasks: number;
            wallet: number;
            totalSubmissions: number;
            pendingReviews: number;
            inEscrow: number;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>("/buyer-stats", {
        ...opts
    });
}
/**
 * Daily totals of the last 30 days for the caller's chart
 */
export function statsSeries(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            day: string;
            coins: number;
            dollars: number;
            grossDollars: number;
        }[];
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>("/stats/series", {
        ...opts
    });
}
/**
 * Submissions, pending submissions, coins earned from approved work, and coins withdrawn
 */
export function workerStats(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            allTask: number;
            pendingTask: number;
            totalEarning: number;
            totalWithdrawn: number;
            withdrawnDollars: number;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>("/worker-stats", {
        ...opts
    });
}
/**
 * Approve several submissions, each on its own; one that cannot be approved does not stop the others
 */
export function approveSubmissions(body: {
    ids: string[];
}, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            results: {
                _id: string;
                modified: boolean;
                error: {
                    code: string;
                    message: string;
                } | null;
            }[];
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 409;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 415;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>("/submissions/approvals", oazapfts.json({
        ...opts,
        method: "POST",
        body,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * How many of the caller's submissions are in each state that occurs
 */
export function mySubmissionCounts(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            state: "pending" | "revision_requested" | "rejection_open" | "appealed" | "in_review" | "approved" | "rejected";
            count: number;
        }[];
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>("/my-submission-counts", {
        ...opts
    });
}
/**
 * A worker's own submissions, newest first
 */
export function mySubmissions(email: string, { limit, cursor, page, status, state, q }: {
    limit?: string;
    cursor?: string;
    page?: string;
    status?: "pending" | "approved" | "rejected" | "all";
    state?: "pending" | "revision_requested" | "rejection_open" | "appealed" | "in_review" | "approved" | "rejected";
    q?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            tasks: {
                _id: string;
                taskId: string;
                taskVersion: number;
                item: number | null;
                task_title: string;
                payable_amount: number;
                worker_name: string;
                worker_email: string;
                buyer_email: string;
                buyer_name: string;
                required_workers_left: number;
                submissoin_data: string;
                status: "pending" | "approved" | "rejected";
                state: "pending" | "revision_requested" | "rejection_open" | "appealed" | "in_review" | "approved" | "rejected";
                taskImg: string;
                taskCategory: "data_entry" | "research" | "survey" | "writing" | "translation" | "transcription" | "design" | "photo_video" | "labeling" | "testing" | "social_media" | "local" | "other";
                reason: string;
                category: ("instructions" | "incomplete" | "wrong" | "copied" | "duplicate" | "unusable") | null;
                requirement: string;
                workerRecord: {
                    approved: number;
                    rejected: number;
                } | null;
                workSeconds: number | null;
                revisionRequest: string | null;
                slotReopened: boolean;
                createdAt: string;
                decidedAt: string | null;
                decidedBy: ("buyer" | "time" | "buyer_left" | "worker_left" | "worker" | "concession" | "silence" | "reviewer" | "no_reviewer" | "reversal" | "agreement") | null;
                dueAt: string | null;
                reviewBy: string | null;
            }[];
            totalTasks: number;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/my-submissoin/${encodeURIComponent(email)}${QS.query(QS.explode({
        limit,
        cursor,
        page,
        status,
        state,
        q
    }))}`, {
        ...opts
    });
}
/**
 * The state of the caller's latest submission to each of these tasks, if any
 */
export function myTaskStates({ tasks }: {
    tasks?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            taskId: string;
            state: "pending" | "revision_requested" | "rejection_open" | "appealed" | "in_review" | "approved" | "rejected";
        }[];
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/my-task-states${QS.query(QS.explode({
        tasks
    }))}`, {
        ...opts
    });
}
/**
 * The version of the task that a submission was made for
 */
export function taskOfSubmission(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            taskVersion: number;
            current: boolean;
            task_title: string;
            task_detail: string;
            submission_info: string;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/submissions/${encodeURIComponent(id)}/task`, {
        ...opts
    });
}
/**
 * Submissions by status, oldest first while pending
 */
export function taskToReview(email: string, { limit, cursor, role, status, state }: {
    limit?: string;
    cursor?: string;
    role?: "Worker" | "Buyer" | "Admin";
    status?: "pending" | "approved" | "rejected";
    state?: "pending" | "revision_requested" | "rejection_open" | "appealed" | "in_review" | "approved" | "rejected";
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            _id: string;
            taskId: string;
            taskVersion: number;
            item: number | null;
            task_title: string;
            payable_amount: number;
            worker_name: string;
            worker_email: string;
            buyer_email: string;
            buyer_name: string;
            required_workers_left: number;
            submissoin_data: string;
            status: "pending" | "approved" | "rejected";
            state: "pending" | "revision_requested" | "rejection_open" | "appealed" | "in_review" | "approved" | "rejected";
            taskImg: string;
            taskCategory: "data_entry" | "research" | "survey" | "writing" | "translation" | "transcription" | "design" | "photo_video" | "labeling" | "testing" | "social_media" | "local" | "other";
            reason: string;
            category: ("instructions" | "incomplete" | "wrong" | "copied" | "duplicate" | "unusable") | null;
            requirement: string;
            workerRecord: {
                approved: number;
                rejected: number;
            } | null;
            workSeconds: number | null;
            revisionRequest: string | null;
            slotReopened: boolean;
            createdAt: string;
            decidedAt: string | null;
            decidedBy: ("buyer" | "time" | "buyer_left" | "worker_left" | "worker" | "concession" | "silence" | "reviewer" | "no_reviewer" | "reversal" | "agreement") | null;
            dueAt: string | null;
            reviewBy: string | null;
        }[];
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/task-to-review${QS.query(QS.explode({
        limit,
        cursor,
        email,
        role,
        status,
        state
    }))}`, {
        ...opts
    });
}
/**
 * Approve work: its reward is transferred from escrow to the worker, once
 */
export function updateSubmissionStatus(id: string, body: {
    status: "approved";
    buyer?: any;
}, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            acknowledged: boolean;
            matchedCount: number;
            modifiedCount: number;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 409;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 415;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/update-submission-status/${encodeURIComponent(id)}`, oazapfts.json({
        ...opts,
        method: "PATCH",
        body,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Ask the worker once to revise pending work
 */
export function requestRevision(id: string, body: {
    text: string;
}, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            acknowledged: boolean;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 409;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 415;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/submissions/${encodeURIComponent(id)}/revision`, oazapfts.json({
        ...opts,
        method: "POST",
        body,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Take back a rejection that is not final: the worker is paid from escrow
 */
export function concedeRejection(id: string, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            acknowledged: boolean;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 409;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 415;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/submissions/${encodeURIComponent(id)}/concession`, {
        ...opts,
        method: "POST",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    });
}
/**
 * Reject work; the worker can appeal until the rejection is final
 */
export function rejectSubmission(id: string, body?: {
    reason?: string;
    category?: "instructions" | "incomplete" | "wrong" | "copied" | "duplicate" | "unusable";
    requirement?: string;
} | null, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            acknowledged: boolean;
            deletedCount: number;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 409;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 415;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/submission-reject/${encodeURIComponent(id)}`, oazapfts.json({
        ...opts,
        method: "DELETE",
        body,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Whether the caller's next rejection needs a reviewer before it counts
 */
export function rejectionRule(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            needsReviewer: boolean;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>("/my-rejection-rule", {
        ...opts
    });
}
/**
 * Pay for another slot while a rejection is not final; the coins come back if it stands
 */
export function reopenSlot(id: string, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            acknowledged: boolean;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 409;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 415;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/submissions/${encodeURIComponent(id)}/reopened-slot`, {
        ...opts,
        method: "POST",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    });
}
/**
 * Turn a final rejection into an approval, with coins from the balance
 */
export function reverseRejection(id: string, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            acknowledged: boolean;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 409;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 415;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/submissions/${encodeURIComponent(id)}/reversal`, {
        ...opts,
        method: "POST",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    });
}
/**
 * Replace the link of a private task; the former link and the access of those who opened it end
 */
export function renewTaskLink(id: string, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            token: string | null;
            workers: number;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 415;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/tasks/${encodeURIComponent(id)}/link`, {
        ...opts,
        method: "POST",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    });
}
/**
 * Revoke the link of a private task, with the access of those who opened it
 */
export function revokeTaskLink(id: string, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            token: string | null;
            workers: number;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 415;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/tasks/${encodeURIComponent(id)}/link`, {
        ...opts,
        method: "DELETE",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    });
}
/**
 * The link of the caller's own private task
 */
export function taskLink(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            token: string | null;
            workers: number;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/tasks/${encodeURIComponent(id)}/link`, {
        ...opts
    });
}
/**
 * Replace the fields of a draft or a template
 */
export function changeTaskDraft(id: string, body: {
    task_title?: string;
    task_detail?: string;
    required_workers?: number;
    payable_amount?: number;
    completion_date?: string;
    submission_info?: string;
    task_image_url?: string | null;
    review_hours?: number;
    reservation_minutes?: number;
    category?: "data_entry" | "research" | "survey" | "writing" | "translation" | "transcription" | "design" | "photo_video" | "labeling" | "testing" | "social_media" | "local" | "other";
    audience?: {
        visibility: "everyone" | "favourites_first" | "link";
        qualifications: string[];
        approvalPercentMin: number | null;
        approvedMin: number | null;
        language: ("bn" | "en" | "ar" | "de" | "es" | "fr" | "gu" | "hi" | "id" | "it" | "ja" | "ko" | "ml" | "mr" | "ms" | "ne" | "or" | "pa" | "pt" | "ru" | "si" | "ta" | "te" | "th" | "tr" | "ur" | "vi" | "zh") | null;
    };
    name?: string | null;
    version?: number;
}, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            task_title?: string;
            task_detail?: string;
            required_workers?: number;
            payable_amount?: number;
            completion_date?: string;
            submission_info?: string;
            task_image_url?: string | null;
            review_hours?: number;
            reservation_minutes?: number;
            category?: "data_entry" | "research" | "survey" | "writing" | "translation" | "transcription" | "design" | "photo_video" | "labeling" | "testing" | "social_media" | "local" | "other";
            audience?: {
                visibility: "everyone" | "favourites_first" | "link";
                qualifications: string[];
                approvalPercentMin: number | null;
                approvedMin: number | null;
                language: ("bn" | "en" | "ar" | "de" | "es" | "fr" | "gu" | "hi" | "id" | "it" | "ja" | "ko" | "ml" | "mr" | "ms" | "ne" | "or" | "pa" | "pt" | "ru" | "si" | "ta" | "te" | "th" | "tr" | "ur" | "vi" | "zh") | null;
            };
            _id: string;
            name: string;
            template: boolean;
            version: number;
            createdAt: string;
            changedAt: string;
            postAt: string | null;
            failure: {
                code: string;
                message: string;
            } | null;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 409;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 415;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/task-drafts/${encodeURIComponent(id)}`, oazapfts.json({
        ...opts,
        method: "PUT",
        body,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Delete a draft or a template
 */
export function deleteTaskDraft(id: string, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 204;
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 415;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/task-drafts/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    });
}
/**
 * One of the caller's drafts or templates
 */
export function taskDraft(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            task_title?: string;
            task_detail?: string;
            required_workers?: number;
            payable_amount?: number;
            completion_date?: string;
            submission_info?: string;
            task_image_url?: string | null;
            review_hours?: number;
            reservation_minutes?: number;
            category?: "data_entry" | "research" | "survey" | "writing" | "translation" | "transcription" | "design" | "photo_video" | "labeling" | "testing" | "social_media" | "local" | "other";
            audience?: {
                visibility: "everyone" | "favourites_first" | "link";
                qualifications: string[];
                approvalPercentMin: number | null;
                approvedMin: number | null;
                language: ("bn" | "en" | "ar" | "de" | "es" | "fr" | "gu" | "hi" | "id" | "it" | "ja" | "ko" | "ml" | "mr" | "ms" | "ne" | "or" | "pa" | "pt" | "ru" | "si" | "ta" | "te" | "th" | "tr" | "ur" | "vi" | "zh") | null;
            };
            _id: string;
            name: string;
            template: boolean;
            version: number;
            createdAt: string;
            changedAt: string;
            postAt: string | null;
            failure: {
                code: string;
                message: string;
            } | null;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/task-drafts/${encodeURIComponent(id)}`, {
        ...opts
    });
}
/**
 * Save a task as a draft or a template; no coin moves until it is posted
 */
export function createTaskDraft(body: {
    task_title?: string;
    task_detail?: string;
    required_workers?: number;
    payable_amount?: number;
    completion_date?: string;
    submission_info?: string;
    task_image_url?: string | null;
    review_hours?: number;
    reservation_minutes?: number;
    category?: "data_entry" | "research" | "survey" | "writing" | "translation" | "transcription" | "design" | "photo_video" | "labeling" | "testing" | "social_media" | "local" | "other";
    audience?: {
        visibility: "everyone" | "favourites_first" | "link";
        qualifications: string[];
        approvalPercentMin: number | null;
        approvedMin: number | null;
        language: ("bn" | "en" | "ar" | "de" | "es" | "fr" | "gu" | "hi" | "id" | "it" | "ja" | "ko" | "ml" | "mr" | "ms" | "ne" | "or" | "pa" | "pt" | "ru" | "si" | "ta" | "te" | "th" | "tr" | "ur" | "vi" | "zh") | null;
    };
    name?: string | null;
    template?: boolean;
}, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 201;
        data: {
            task_title?: string;
            task_detail?: string;
            required_workers?: number;
            payable_amount?: number;
            completion_date?: string;
            submission_info?: string;
            task_image_url?: string | null;
            review_hours?: number;
            reservation_minutes?: number;
            category?: "data_entry" | "research" | "survey" | "writing" | "translation" | "transcription" | "design" | "photo_video" | "labeling" | "testing" | "social_media" | "local" | "other";
            audience?: {
                visibility: "everyone" | "favourites_first" | "link";
                qualifications: string[];
                approvalPercentMin: number | null;
                approvedMin: number | null;
                language: ("bn" | "en" | "ar" | "de" | "es" | "fr" | "gu" | "hi" | "id" | "it" | "ja" | "ko" | "ml" | "mr" | "ms" | "ne" | "or" | "pa" | "pt" | "ru" | "si" | "ta" | "te" | "th" | "tr" | "ur" | "vi" | "zh") | null;
            };
            _id: string;
            name: string;
            template: boolean;
            version: number;
            createdAt: string;
            changedAt: string;
            postAt: string | null;
            failure: {
                code: string;
                message: string;
            } | null;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 409;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 415;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>("/task-drafts", oazapfts.json({
        ...opts,
        method: "POST",
        body,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * The caller's drafts and templates, the last changed first, at most 100
 */
export function taskDrafts(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            task_title?: string;
            required_workers?: number;
            payable_amount?: number;
            completion_date?: string;
            _id: string;
            name: string;
            template: boolean;
            version: number;
            createdAt: string;
            changedAt: string;
            postAt: string | null;
            failure: {
                code: string;
                message: string;
            } | null;
        }[];
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>("/task-drafts", {
        ...opts
    });
}
/**
 * Rename a draft or a template
 */
export function renameTaskDraft(id: string, body: {
    name: string;
}, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            task_title?: string;
            task_detail?: string;
            required_workers?: number;
            payable_amount?: number;
            completion_date?: string;
            submission_info?: string;
            task_image_url?: string | null;
            review_hours?: number;
            reservation_minutes?: number;
            category?: "data_entry" | "research" | "survey" | "writing" | "translation" | "transcription" | "design" | "photo_video" | "labeling" | "testing" | "social_media" | "local" | "other";
            audience?: {
                visibility: "everyone" | "favourites_first" | "link";
                qualifications: string[];
                approvalPercentMin: number | null;
                approvedMin: number | null;
                language: ("bn" | "en" | "ar" | "de" | "es" | "fr" | "gu" | "hi" | "id" | "it" | "ja" | "ko" | "ml" | "mr" | "ms" | "ne" | "or" | "pa" | "pt" | "ru" | "si" | "ta" | "te" | "th" | "tr" | "ur" | "vi" | "zh") | null;
            };
            _id: string;
            name: string;
            template: boolean;
            version: number;
            createdAt: string;
            changedAt: string;
            postAt: string | null;
            failure: {
                code: string;
                message: string;
            } | null;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 415;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/task-drafts/${encodeURIComponent(id)}/name`, oazapfts.json({
        ...opts,
        method: "PUT",
        body,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Set the time at which a draft is posted, or null for none
 */
export function scheduleTaskDraft(id: string, body: {
    postAt: string | null;
}, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            task_title?: string;
            task_detail?: string;
            required_workers?: number;
            payable_amount?: number;
            completion_date?: string;
            submission_info?: string;
            task_image_url?: string | null;
            review_hours?: number;
            reservation_minutes?: number;
            category?: "data_entry" | "research" | "survey" | "writing" | "translation" | "transcription" | "design" | "photo_video" | "labeling" | "testing" | "social_media" | "local" | "other";
            audience?: {
                visibility: "everyone" | "favourites_first" | "link";
                qualifications: string[];
                approvalPercentMin: number | null;
                approvedMin: number | null;
                language: ("bn" | "en" | "ar" | "de" | "es" | "fr" | "gu" | "hi" | "id" | "it" | "ja" | "ko" | "ml" | "mr" | "ms" | "ne" | "or" | "pa" | "pt" | "ru" | "si" | "ta" | "te" | "th" | "tr" | "ur" | "vi" | "zh") | null;
            };
            _id: string;
            name: string;
            template: boolean;
            version: number;
            createdAt: string;
            changedAt: string;
            postAt: string | null;
            failure: {
                code: string;
                message: string;
            } | null;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 409;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 415;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/task-drafts/${encodeURIComponent(id)}/schedule`, oazapfts.json({
        ...opts,
        method: "PUT",
        body,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * One of the caller's tasks in numbers: seen, reserved, submitted, approved, and its spending
 */
export function taskFunnel(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            taskId: string;
            seen: number;
            reserved: number;
            submitted: number;
            approved: number;
            rejected: number;
            paid: number;
            escrow: number;
            medianSeconds: number | null;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/tasks/${encodeURIComponent(id)}/funnel`, {
        ...opts
    });
}
/**
 * Add slots to an open task; their pay is transferred to escrow in the same transaction
 */
export function addSlots(id: string, body: {
    slots: number;
}, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            changed: boolean;
            coins: number;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 409;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 415;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/tasks/${encodeURIComponent(id)}/slots`, oazapfts.json({
        ...opts,
        method: "POST",
        body,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Post a task; its whole cost is transferred to escrow in the same transaction
 */
export function addTask(body: {
    task_title: string;
    task_detail: string;
    required_workers: number;
    payable_amount: number;
    completion_date: string;
    submission_info: string;
    task_image_url?: string | null;
    review_hours?: number;
    reservation_minutes?: number;
    category?: "data_entry" | "research" | "survey" | "writing" | "translation" | "transcription" | "design" | "photo_video" | "labeling" | "testing" | "social_media" | "local" | "other";
    audience?: {
        visibility: "everyone" | "favourites_first" | "link";
        qualifications: string[];
        approvalPercentMin: number | null;
        approvedMin: number | null;
        language: ("bn" | "en" | "ar" | "de" | "es" | "fr" | "gu" | "hi" | "id" | "it" | "ja" | "ko" | "ml" | "mr" | "ms" | "ne" | "or" | "pa" | "pt" | "ru" | "si" | "ta" | "te" | "th" | "tr" | "ur" | "vi" | "zh") | null;
    };
    worker?: number;
    amount?: number;
    total?: number;
    buyer?: string;
    buyer_name?: string;
    draftId?: string;
}, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            acknowledged: boolean;
            insertedId: string | null;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 409;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 415;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>("/add-task", oazapfts.json({
        ...opts,
        method: "POST",
        body,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * Close a task before its deadline; the coins of free slots are refunded
 */
export function closeTask(id: string, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            changed: boolean;
            coins: number;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 415;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/tasks/${encodeURIComponent(id)}/close`, {
        ...opts,
        method: "POST",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    });
}
/**
 * Delete a task; the coins of free slots are refunded to its buyer
 */
export function deleteTask(id: string, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            acknowledged: boolean;
            deletedCount: number;
            isCompleted: boolean;
            refund: number;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 415;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/delete-task/${encodeURIComponent(id)}`, {
        ...opts,
        method: "DELETE",
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    });
}
/**
 * Extend an open task, or bring its deadline forward
 */
export function moveDeadline(id: string, body: {
    completion_date: string;
}, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            changed: boolean;
            coins: number;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 409;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 415;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/tasks/${encodeURIComponent(id)}/deadline`, oazapfts.json({
        ...opts,
        method: "PUT",
        body,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * A buyer's tasks, latest deadline first by default
 */
export function myTask(email: string, { limit, cursor, q, state, sort }: {
    limit?: string;
    cursor?: string;
    q?: string;
    state?: "review" | "open" | "filled" | "ended";
    sort?: "deadline" | "ending" | "newest";
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            _id: string;
            task_title: string;
            task_detail: string;
            required_workers: number;
            payable_amount: number;
            completion_date: string;
            submission_info: string;
            task_image_url: string;
            buyer: string;
            buyer_name: string;
            buyerId: string;
            worker: number;
            amount: number;
            total: number;
            isCompleted: boolean;
            isClosed: boolean;
            review_hours: number;
            reservation_minutes: number;
            category: "data_entry" | "research" | "survey" | "writing" | "translation" | "transcription" | "design" | "photo_video" | "labeling" | "testing" | "social_media" | "local" | "other";
            isBatch: boolean;
            buyerRecord: {
                decided: number;
                approved: number;
                rejected: number;
                appealsLost: number;
                decisionSeconds: number | null;
                paymentSeconds: number | null;
            } | null;
            workSeconds: number | null;
            createdAt: string;
        }[];
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/my-task/${encodeURIComponent(email)}${QS.query(QS.explode({
        limit,
        cursor,
        q,
        state,
        sort
    }))}`, {
        ...opts
    });
}
/**
 * The work on the caller's own tasks among these, in numbers
 */
export function myTaskProgress({ tasks }: {
    tasks?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            taskId: string;
            reserved: number;
            pending: number;
            reviewBy: string | null;
            unsettled: number;
            approved: number;
            rejected: number;
            escrow: number;
            held: boolean;
        }[];
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/my-task-progress${QS.query(QS.explode({
        tasks
    }))}`, {
        ...opts
    });
}
/**
 * How many of the caller's tasks are in each state, and their coins in escrow
 */
export function myTaskTotals(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            all: number;
            review: number;
            open: number;
            filled: number;
            ended: number;
            escrow: number;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>("/my-task-totals", {
        ...opts
    });
}
/**
 * Reopen a closed task; the pay of its free slots is transferred to escrow again
 */
export function reopenTask(id: string, body?: {
    completion_date?: string;
} | null, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            changed: boolean;
            coins: number;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 409;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 415;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/tasks/${encodeURIComponent(id)}/reopen`, oazapfts.json({
        ...opts,
        method: "POST",
        body,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * One task
 */
export function taskDetails(id: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            _id: string;
            task_title: string;
            task_detail: string;
            required_workers: number;
            payable_amount: number;
            completion_date: string;
            submission_info: string;
            task_image_url: string;
            buyer: string;
            buyer_name: string;
            buyerId: string;
            worker: number;
            amount: number;
            total: number;
            isCompleted: boolean;
            isClosed: boolean;
            review_hours: number;
            reservation_minutes: number;
            category: "data_entry" | "research" | "survey" | "writing" | "translation" | "transcription" | "design" | "photo_video" | "labeling" | "testing" | "social_media" | "local" | "other";
            isBatch: boolean;
            buyerRecord: {
                decided: number;
                approved: number;
                rejected: number;
                appealsLost: number;
                decisionSeconds: number | null;
                paymentSeconds: number | null;
            } | null;
            workSeconds: number | null;
            createdAt: string;
            Buyer_name: string;
            taskVersion: number;
            restorable_slots: number;
            submission: {
                _id: string;
                taskVersion: number;
                status: "pending" | "approved";
                state: "pending" | "revision_requested" | "rejection_open" | "appealed" | "in_review" | "approved" | "rejected";
                submissoin_data: string;
                createdAt: string;
                dueAt: string | null;
                reviewBy: string | null;
            } | null;
            rejection: {
                _id: string;
                state: "pending" | "revision_requested" | "rejection_open" | "appealed" | "in_review" | "approved" | "rejected";
                dueAt: string;
            } | null;
            reservation: {
                _id: string;
                taskId: string;
                taskVersion: number;
                expiresAt: string;
            } | null;
            audience: {
                visibility: "everyone" | "favourites_first" | "link";
                qualifications: {
                    _id: string;
                    name: string;
                    description: string;
                }[];
                approvalPercentMin: number | null;
                approvedMin: number | null;
                language: ("bn" | "en" | "ar" | "de" | "es" | "fr" | "gu" | "hi" | "id" | "it" | "ja" | "ko" | "ml" | "mr" | "ms" | "ne" | "or" | "pa" | "pt" | "ru" | "si" | "ta" | "te" | "th" | "tr" | "ur" | "vi" | "zh") | null;
            } | null;
            ineligibility: {
                reason: "blocked" | "link" | "favourites" | "qualification" | "approved" | "approval_rate" | "language" | "held" | "score" | "no_item";
                message: string;
                tests?: {
                    qualification: string;
                    taskId: string;
                    title: string;
                    answersMin: number;
                    percentMin: number;
                }[];
            } | null;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/task-datails/${encodeURIComponent(id)}`, {
        ...opts
    });
}
/**
 * Change a task's title, details, submission info and category; nothing else can change
 */
export function updateTask(id: string, body: {
    task_title: string;
    task_detail: string;
    submission_info: string;
    category?: "data_entry" | "research" | "survey" | "writing" | "translation" | "transcription" | "design" | "photo_video" | "labeling" | "testing" | "social_media" | "local" | "other";
    taskVersion?: number;
}, { idempotencyKey }: {
    idempotencyKey?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            acknowledged: boolean;
            matchedCount: number;
            modifiedCount: number;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 409;
        data: Error;
    } | {
        status: 413;
        data: Error;
    } | {
        status: 415;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/update-task/${encodeURIComponent(id)}`, oazapfts.json({
        ...opts,
        method: "PUT",
        body,
        headers: oazapfts.mergeHeaders(opts?.headers, {
            "Idempotency-Key": idempotencyKey
        })
    }));
}
/**
 * A user's coins and role
 */
export function coinRole(email: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            _id: string;
            email: string;
            name: string;
            role: "Worker" | "Buyer" | "Admin";
            coin: number;
            wallet: number;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/coin-role/${encodeURIComponent(email)}`, {
        ...opts
    });
}
/**
 * A user's own record
 */
export function userDetails(email: string, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            _id: string;
            name: string;
            user: string;
            email: string;
            image: string;
            img: string;
            role: "Worker" | "Buyer" | "Admin";
            coin: number;
            debt: number;
            spendable?: number;
            wallet: number;
            reviewer: boolean;
            locale: "en" | "bn";
            createdAt: string;
        };
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/user-details/${encodeURIComponent(email)}`, {
        ...opts
    });
}
/**
 * What waits for the caller, by kind; kinds of which nothing waits are left out
 */
export function waiting(opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            kind: "freezes_without_response" | "reviews" | "payout_requests" | "stopped_payout_requests" | "payout_batches" | "payouts_to_confirm" | "payout_cases" | "disputes" | "refunds" | "unmatched_payments" | "card_cases" | "freeze_responses" | "setting_proposals" | "unassigned_reviews" | "messages" | "failed_jobs" | "appeals_without_response" | "submissions_to_review" | "tasks_ending" | "reservations" | "revisions_requested" | "rejections_to_appeal" | "pending_work" | "disputed_work" | "pending_withdrawals";
            count: number;
            coins: number | null;
            cents: number | null;
            oldest: string | null;
            deadline: string | null;
        }[];
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>("/waiting", {
        ...opts
    });
}
/**
 * A user's own withdrawals, newest first
 */
export function myWithdrawals(email: string, { limit, cursor }: {
    limit?: string;
    cursor?: string;
} = {}, opts?: Oazapfts.RequestOpts) {
    return oazapfts.fetchJson<{
        status: 200;
        data: {
            _id: string;
            workerName: string;
            workerEmail: string;
            withdrawalCoin: number;
            withdrawal_amount: number;
            payment_system: "Bkash" | "Rocket" | "Nagad" | "Bank" | "Other";
            accountNumber: string;
            account: string;
            status: "pending" | "approved" | "declined" | "cancelled";
            formatted: string;
            reason: string;
            createdAt: string;
            decidedAt: string | null;
        }[];
    } | {
        status: 400;
        data: Error;
    } | {
        status: 401;
        data: Error;
    } | {
        status: 403;
        data: Error;
    } | {
        status: 404;
        data: Error;
    } | {
        status: 422;
        data: Error;
    } | {
        status: 429;
        data: Error;
    } | {
        status: 500;
        data: Error;
    } | {
        status: 503;
        data: Error;
    } | {
        status: number;
        data: Error;
    }>(`/withdraw/${encodeURIComponent(email)}${QS.query(QS.explode({
        limit,
        cursor
    }))}`, {
        ...opts
    });
}
