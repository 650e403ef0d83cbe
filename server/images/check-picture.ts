import type { PictureFailure } from '#contract/batch-problems.ts'
import type { Config } from '#server/config.ts'
import { type Database, queryOne } from '#server/database/database.ts'
import { addressRules } from '#server/http/public-request.ts'
import { pictureFailure } from './fetch-picture.ts'

const isUploaded = queryOne<{ uploaded: boolean }, [url: string]>(
  'is_uploaded_picture',
  `select exists (select from images
                   where hash = substring($1 from '([0-9a-f]{40})-[0-9]+[.]webp$') and $1 in (url, thumb_url)) as uploaded`,
)

/**
 * Returns a function that requests the picture at a URL and returns why it does not load, or null. Pictures that were uploaded here
 * are not requested.
 */
export function createPictureCheck(database: Database, config: Config) {
  // As the pictures of items are fetched (foreign-pictures.ts).
  const rules = { ...addressRules(config), anyOrigin: config.isDevelopment }
  return async (url: string): Promise<PictureFailure | number | null> =>
    (await isUploaded(database, url)).uploaded ? null : pictureFailure(url, rules)
}
