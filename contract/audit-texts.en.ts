/** Returns the name of a check or a total of the audit in English, as SQL has it. A sibling translates it (docs/translating.md). */
export const auditText = (english: string): string => english
