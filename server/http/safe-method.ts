/** Whether requests of a method change nothing (RFC 9110, section 9.2.1), of the methods that the server has. */
export function isSafeMethod(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
}
