import banglaFont from '#web/fonts/bangla.woff2?url'

/**
 * An inline script for pages in Bangla. A device without a font for Bangla shows boxes, which are wider than the letters: the page would
 * be unreadable and move when the web font arrives. So the script finds such a device by boxes that are all equally wide, loads the font at
 * once, also where data is saved, and hides the page until the font is there, for three seconds at most
 * (docs/decisions/0099-waiting-for-bangla.md).
 */
export const WAIT_FOR_BANGLA_FONT = `try{
const d=document.documentElement,x=document.createElement('canvas').getContext('2d')
x.font='16px sans-serif'
if(new Set([...'কটঔ'].map(c=>x.measureText(c).width)).size<2){
const show=()=>{d.style.visibility=''}
d.style.visibility='hidden'
if('saveData'in d.dataset)d.style.setProperty('--mantine-font-family',"'Noto Sans Bengali Variable','Figtree Fallback',system-ui")
document.head.append(Object.assign(document.createElement('link'),{rel:'preload',as:'font',crossOrigin:'',href:'${banglaFont}'}))
addEventListener('DOMContentLoaded',()=>Promise.all([400,700].map(w=>document.fonts.load(w+" 16px 'Noto Sans Bengali Variable'",'ক'))).then(show,show))
setTimeout(show,3000)
}}catch{}`
