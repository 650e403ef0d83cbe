/** Returns the path of the form of a new task that starts with a copy of this one. */
export const copyPath = ({ _id }: { _id: string }) => `/dashboard/add-task?copy=${_id}`
