import type { ItemPreview } from '#contract/projects.ts'
import { pictureSource } from '#web/lib/picture-source.ts'

/** Renders the pictures of an item at their own size, within the page. Each opens alone in a new tab. */
export function ItemPictures({ pictures }: Pick<ItemPreview, 'pictures'>) {
  return pictures.map(({ column, url }) => (
    <a key={column} href={url} target="_blank" rel="noopener noreferrer nofollow ugc" className="block w-fit">
      <img
        src={pictureSource(url)}
        alt={column}
        decoding="async"
        className="max-h-[60dvh] min-h-10 max-w-full rounded-control bg-canvas object-contain"
      />
    </a>
  ))
}
