// Talking to the server: JSON both ways, and a stream of what changes.

/** Asks the server; a refusal is an error with the server's words. */
export async function ask(method, path, body) {
  const request = { method, headers: {} };
  if (body !== undefined) {
    request.headers["content-type"] = "application/json";
    request.body = JSON.stringify(body);
  }
  let response;
  try {
    response = await fetch(path, request);
  } catch {
    throw new Error("the server does not answer");
  }
  const text = await response.text();
  let answer;
  try {
    answer = JSON.parse(text);
  } catch {
    answer = { error: text || response.statusText };
  }
  if (!response.ok) throw new Error(answer.error ?? response.statusText);
  return answer;
}

/** Follows runs as they change. `heard` gets the changed ones and the numbers of all. */
export function follow(heard, connected) {
  const events = new EventSource("/api/events");
  events.addEventListener("runs", (event) => heard(JSON.parse(event.data)));
  events.addEventListener("open", () => connected(true));
  events.addEventListener("error", () => connected(false));
}
