import { renderSVG } from 'uqr'

/** Renders a QR code, dark on white in every colour scheme, because some readers require it. */
export default function QrCode({ text, label }: { text: string; label: string }) {
  const source = `data:image/svg+xml,${encodeURIComponent(renderSVG(text, { border: 2 }))}`
  return <img src={source} alt={label} width={200} height={200} className="rounded-md border border-line" />
}
