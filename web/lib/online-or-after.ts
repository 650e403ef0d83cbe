/** Waits until the network is back, at most `ms`. */
export function onlineOrAfter(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      removeEventListener('online', finish)
      resolve()
    }
    const timer = setTimeout(finish, ms)
    addEventListener('online', finish)
  })
}
