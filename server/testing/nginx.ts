import { spawn, type ChildProcess } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Runs nginx with the text of a site in a folder. `http` configures its log. Errors go to its standard error. */
export async function spawnNginx(
  folder: string,
  site: string,
  http = 'access_log off;',
): Promise<ChildProcess> {
  const [main, included] = [join(folder, 'main.conf'), join(folder, 'site.conf')]
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${join(folder, kind)};`,
  )
  await writeFile(included, site)
  await writeFile(
    main,
    `${process.getuid?.() === 0 ? 'user root;' : ''} daemon off; pid ${main}.pid;
    error_log stderr error; events {} http { ${http} ${temporary.join(' ')} include ${included}; }`,
  )
  return spawn('nginx', ['-p', folder, '-c', main], { stdio: ['ignore', 'ignore', 'pipe'] })
}
