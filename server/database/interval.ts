const DAY_SECONDS = 86_400

/** Returns a number of days, also a part of one, as a PostgreSQL interval. */
export const daysInterval = (days: number): string => `${days * DAY_SECONDS} seconds`
