import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/Notification.layer.css'
import '@mantine/notifications/styles.layer.css'
import './toast-host.css'
import { Notifications } from '@mantine/notifications'

export { notifications } from '@mantine/notifications'

/** Renders toasts at the top right below the header, at most two. */
export default function Toasts() {
  return <Notifications position="top-right" limit={2} autoClose={5000} role="status" />
}
