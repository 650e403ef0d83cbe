/** Returns whether a method is safe (RFC 9110, section 9.2.1), of the methods that the server supports. */
export function isSafeMethod(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
}
