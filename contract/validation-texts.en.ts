/** Returns the message of a schema in English, as the schema has it. A sibling translates it (docs/translating.md). */
export const validationText = (english: string): string => english
