/*
 * The beginning of the module script of the page that starts the app on screens that are not prerendered: its styles are in
 * the page. scripts/build/postbuild.ts builds it.
 */

import { activateStyles } from './activate-styles.ts'

activateStyles()
