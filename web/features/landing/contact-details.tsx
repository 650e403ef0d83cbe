import { useState } from 'react'
import { contact } from '#web/content/en.ts'
import { mailto } from '#web/lib/mailto.ts'
import { PlainButton } from '#web/ui/button.tsx'
import { IconMail, IconMapPin, IconPhone, IconWorld } from '#web/ui/icons.ts'

/** Renders the contact details. The map is loaded from another site only on request; before, an illustration is shown. */
export default function ContactDetails() {
  const [isMapShown, setIsMapShown] = useState(false)
  return (
    <div className="card flex min-h-[26rem] flex-col overflow-hidden">
      <div className="relative min-h-60 flex-1">
        {isMapShown ? (
          <iframe
            src={contact.map.url}
            title={contact.map.title}
            className="absolute inset-0 size-full"
            referrerPolicy="no-referrer"
            loading="lazy"
          />
        ) : (
          <>
            <MapIllustration />
            <div className="absolute inset-x-0 bottom-4 flex flex-col items-center gap-1 text-center">
              <PlainButton variant="default" aria-describedby="map-note" onClick={() => setIsMapShown(true)}>
                {contact.map.show}
              </PlainButton>
              <span id="map-note" className="rounded-full bg-surface/90 px-2 text-xs text-dim">
                {contact.map.note}
              </span>
            </div>
          </>
        )}
      </div>
      <address className="grid gap-1 border-t border-line p-5 text-sm not-italic sm:grid-cols-2">
        <p className="flex items-center gap-2 sm:col-span-2">
          <IconMapPin size={18} className="shrink-0 text-brand" aria-hidden />
          {contact.address}
        </p>
        <ContactLine
          icon={IconPhone}
          href={`tel:${contact.phone.replaceAll(' ', '')}`}
          label={contact.phone}
        />
        <ContactLine icon={IconMail} href={mailto(contact.email)} label={contact.email} />
        <ContactLine icon={IconWorld} href={contact.site.href} label={contact.site.label} />
      </address>
    </div>
  )
}

function ContactLine({ icon: Icon, href, label }: { icon: typeof IconMail; href: string; label: string }) {
  return (
    <p className="flex items-center gap-2">
      <Icon size={18} className="shrink-0 text-brand" aria-hidden />
      <a href={href} className="link inline-flex min-h-8 items-center">
        {label}
      </a>
    </p>
  )
}

function MapIllustration() {
  return (
    <svg
      viewBox="0 0 560 360"
      preserveAspectRatio="xMidYMid slice"
      className="absolute inset-0 size-full"
      aria-hidden="true"
    >
      <rect width="560" height="360" className="fill-[#e3ebe7] dark:fill-[#17211d]" />
      <path
        d="M0 300c80-30 130 20 210-6s150-50 220-16 90 20 130 4v78H0z"
        className="fill-[#bfdfee] dark:fill-[#12303c]"
      />
      <rect x="330" y="40" width="120" height="82" rx="14" className="fill-[#cfe8d6] dark:fill-[#16352a]" />
      <g className="stroke-white dark:stroke-[#26332e]" strokeWidth="14" fill="none">
        <path d="M-10 96 570 30M-10 236 570 150M120-10 170 370M300-10l40 380M470-10l30 380" />
        <path d="M-10 20 420 300" strokeWidth="20" />
      </g>
      <path
        d="M280 96c-28 0-48 20-48 47 0 36 48 83 48 83s48-47 48-83c0-27-20-47-48-47z"
        className="fill-[#0c6a4b] dark:fill-[#1f9c6f]"
      />
      <circle cx="280" cy="143" r="17" fill="#ffca4f" />
    </svg>
  )
}
