/** What one usually connects, at the address it listens on when nobody changed it. The same list is in README.md. */
export const MODEL_SERVERS = [
  { name: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1', needs: 'needsToolModel' },
  { name: 'llama.cpp', baseUrl: 'http://127.0.0.1:8080/v1', needs: 'needsJinja' },
  { name: 'LM Studio', baseUrl: 'http://127.0.0.1:1234/v1', needs: 'needsLocalServer' },
  { name: 'vLLM', baseUrl: 'http://127.0.0.1:8000/v1', needs: 'needsToolParser' },
  { name: 'OpenAI', baseUrl: 'https://api.openai.com/v1', needs: 'needsKey' },
] as const;

/** Whether what is sent to this address can be read on its way: http to another machine. */
export function isReadableOnTheWay(baseUrl: string): boolean {
  if (!URL.canParse(baseUrl.trim())) return false;
  const { protocol, hostname } = new URL(baseUrl.trim());
  const isHere = hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
  return protocol === 'http:' && !isHere;
}
