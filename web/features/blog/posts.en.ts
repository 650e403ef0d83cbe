/** The posts of the blog, newest first. Not in web/content, which every page loads. */
export const posts = [
  {
    slug: 'write-a-task',
    tag: 'Guide',
    title: 'How to write a task description that gets good results',
    text: 'Say what a good result looks like, show one example, and ask for one proof. Three sentences save three rejections.',
    date: '12 November 2026',
    minutes: 2,
  },
  {
    slug: 'first-withdrawal',
    tag: 'Workers',
    title: 'From the first coin to the first withdrawal',
    text: 'A withdrawal starts at two hundred coins. How new workers reach them in their first week, and which tasks they start with.',
    date: '28 October 2026',
    minutes: 2,
  },
  {
    slug: 'escrow',
    tag: 'Product',
    title: 'Why your coins are held in escrow',
    text: 'The pay for a task is set aside when you post it. It is paid out when you approve the work, and refunded for slots that stay empty.',
    date: '9 October 2026',
    minutes: 2,
  },
] as const
