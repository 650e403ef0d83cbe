import { t } from '@lingui/core/macro'
import { Button, Textarea, TextInput } from '@mantine/core'
import { ContactForm as ContactSchema, sendContact } from '#contract/contact.ts'
import { contact } from '#web/content/en.ts'
import { call } from '#web/lib/api.ts'
import { useForm } from '#web/lib/form.ts'
import { showMessage } from '#web/ui/dialogs.tsx'
import { FormError, PostedFormErrors } from '#web/ui/form-error.tsx'

/** Renders the contact form. */
export default function ContactForm() {
  const form = useForm({
    schema: ContactSchema,
    postsTo: sendContact,
    initialValues: { name: '', email: '', subject: '', message: '' },
    submit: async (body, attempt) => {
      await call(sendContact, { body }, attempt)
      form.reset()
      void showMessage(contact.sent)
    },
  })
  return (
    <form {...form.props} className="card grid gap-4 p-6 sm:grid-cols-2 lg:p-8">
      <TextInput label={t`Full name`} autoComplete="name" required {...form.field('name')} />
      <TextInput label={t`Email`} type="email" autoComplete="email" required {...form.field('email')} />
      <TextInput className="sm:col-span-2" label={t`Subject`} required {...form.field('subject')} />
      <Textarea className="sm:col-span-2" label={t`Message`} rows={6} required {...form.field('message')} />
      <div className="sm:col-span-2">
        {!form.wasSubmitted && <PostedResult />}
        <FormError message={form.submitError} />
      </div>
      <div className="sm:col-span-2">
        <Button type="submit" loading={form.isSubmitting}>
          {contact.send}
        </Button>
      </div>
    </form>
  )
}

/** Renders the confirmation or the error of a message that was posted before the page's scripts ran. */
function PostedResult() {
  return (
    <>
      <p
        id="message-sent"
        tabIndex={-1}
        className="hidden scroll-mt-48 rounded-control bg-soft px-4 py-3 text-sm text-on-soft outline-none target:block"
      >
        <b>{contact.sent.title}.</b> {contact.sent.text}
      </p>
      <PostedFormErrors errors={sendContact.form.errors} />
    </>
  )
}
