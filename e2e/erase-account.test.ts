/** Tests deleting an account, and what others see afterwards. */
import { expect, test } from './fixtures.ts'
import { call, publishShelf, register, registerBuyer, signIn } from './people.ts'

test('deleting an account takes the password and a checkbox', async ({ page, server }) => {
  const person = await register(server.url)
  await signIn(page, server.url, person)
  await page.goto('/profile/update')
  await expect(page.getByRole('heading', { name: 'Delete the account' })).toBeVisible()
  await page.getByRole('button', { name: 'Delete my account' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Delete the account' })
  await expect(dialog).toBeVisible()

  // Cancelling changes nothing.
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: 'Delete my account' }).click()
  const submit = dialog.getByRole('button', { name: 'Delete for good' })
  await dialog.getByLabel('Password', { exact: true }).fill('not this one')
  await expect(submit).toBeDisabled()
  await dialog.getByLabel('I know that my account').check()
  await submit.click()
  await expect(dialog.getByText('The password is wrong')).toBeVisible()

  await dialog.getByLabel('Password', { exact: true }).fill(person.password)
  // The toast disappears after 2.5 seconds, so it is awaited in parallel.
  await Promise.all([
    expect(page.getByText('Your account is deleted')).toBeVisible(),
    expect(page).toHaveURL(`${server.url}/`),
    submit.click(),
  ])
  await expect(page.getByRole('link', { name: 'Sign in', exact: true }).first()).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('auth'))).toBeNull()
  await page.goto('/points')
  await expect(page).toHaveURL(/\/login/)
})

test('buyers can still read, and see the name of a former member', async ({ page, server }) => {
  const { author, lesson, course } = await publishShelf(server.url, 'Bequest')
  const buyer = await registerBuyer(server, 500, `course/buy/${course}`)
  await call(server.url, author, 'POST', `/comment/create/${lesson}`, {
    text: 'I wrote this lesson myself',
  })
  await call(server.url, author, 'POST', '/message/create', {
    text: 'Thank you for reading',
    receiverUsername: buyer.username,
  })
  await call(server.url, author, 'POST', '/identity/erase', { password: author.password })

  await signIn(page, server.url, buyer)
  await page.goto('/chat')
  await page.getByRole('link', { name: /Former member/ }).click()
  await expect(page.getByRole('log').getByText('Thank you for reading')).toBeVisible()
  await expect(page.getByText('you can’t write any more')).toBeVisible()
  await expect(page.getByRole('textbox', { name: /Former member/ })).toHaveCount(0)

  await page.goto(`/lesson/details/${lesson}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bequest 1')
  await expect(page.locator('[data-byline]')).toContainText('Former member')
  await expect(page.getByRole('link', { name: 'Former member' })).toHaveCount(0)
  await expect(page.getByText('I wrote this lesson myself')).toBeVisible()
  await expect(page.getByText('The author has left')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Write to the owner' })).toHaveCount(0)

  await page.goto(`/course/details/${course}/${lesson}`)
  await expect(page.getByText('Former member').first()).toBeVisible()
  await page.goto('/course/bought?lang=bg')
  await expect(page.getByText('Бивш член').first()).toBeVisible()
  await page.goto('/course/all?search=Bequest&lang=en')
  await expect(page.getByText('All of Bequest')).toHaveCount(0)
})
