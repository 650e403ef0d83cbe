import { t } from '@lingui/core/macro'
import { useEffect, useState } from 'react'
import type { ItemPreview } from '#contract/projects.ts'
import { pictureSource } from '#web/lib/picture-source.ts'

type Picture = ItemPreview['pictures'][number]

/**
 * Renders the pictures of an item at their own size, within the page. Each opens alone in a new tab. One that could not be loaded is
 * requested again when the network is back.
 */
export function ItemPictures({ pictures }: Pick<ItemPreview, 'pictures'>) {
  return pictures.map((picture) => <ItemPicture key={picture.column} {...picture} />)
}

function ItemPicture({ column, url }: Picture) {
  const [failedUrl, setFailedUrl] = useState('')
  useEffect(() => {
    if (failedUrl === '') return
    const retry = () => setFailedUrl('')
    addEventListener('online', retry)
    return () => removeEventListener('online', retry)
  }, [failedUrl])
  return (
    <a href={url} target="_blank" rel="noopener noreferrer nofollow ugc" className="block w-fit">
      {failedUrl === url ? (
        t`${column}: this picture could not be loaded`
      ) : (
        <img
          src={pictureSource(url)}
          alt={column}
          decoding="async"
          onError={() => setFailedUrl(url)}
          className="max-h-[60dvh] min-h-10 max-w-full rounded-control bg-canvas object-contain"
        />
      )}
    </a>
  )
}
