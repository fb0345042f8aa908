/*
 * Runs in the sandbox of every window, before its page. It hands the page the bridge
 * and nothing else. It may know the contract's names and Electron, never the host:
 * it is bundled into one CommonJS file, the only kind a sandboxed preload can be.
 */
import { contextBridge, ipcRenderer } from 'electron';
import { createBridge } from './create-bridge.ts';

contextBridge.exposeInMainWorld(
  'countersign',
  createBridge({
    invoke: (channel, ...values) => ipcRenderer.invoke(channel, ...values),
    send: (channel, ...values) => ipcRenderer.send(channel, ...values),
    on: (channel, listener) => ipcRenderer.on(channel, listener),
  }),
);
