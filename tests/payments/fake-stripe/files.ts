import { type Account, type Handler, type Reply, refuse, type StripeRequest, send, token } from './state.ts'

const TYPES = ['application/pdf', 'image/jpeg', 'image/png']
const MAX_BYTES = 5 * 1024 * 1024

/** Takes the multipart uploads of files.stripe.com. */
export const handleFiles: Handler = (account, request) =>
  request.path === '/v1/files' ? upload(account, request) : undefined

async function upload({ files }: Account, { method, content, contentType }: StripeRequest): Promise<Reply> {
  if (method !== 'POST' || !contentType.startsWith('multipart/form-data'))
    return refuse(400, 'parameter_invalid', 'Send multipart/form-data')
  const form = await new Response(new Uint8Array(content), {
    headers: { 'content-type': contentType },
  }).formData()
  const [purpose, file] = [form.get('purpose'), form.get('file')]
  if (purpose !== 'dispute_evidence' || !(file instanceof File))
    return refuse(400, 'parameter_missing', 'Missing required param: purpose or file')
  if (!TYPES.includes(file.type) || file.size > MAX_BYTES)
    return refuse(400, 'file_invalid', `Invalid file of the type ${file.type}`)
  const id = `file_${token(24)}`
  files.set(id, { purpose, name: file.name, type: file.type, content: Buffer.from(await file.arrayBuffer()) })
  return send({ id, object: 'file', purpose, size: file.size, type: file.type.split('/')[1] })
}
