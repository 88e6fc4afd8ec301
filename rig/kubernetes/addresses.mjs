// The node is a network of its own, joined to the host by one virtual cable; nothing of it is routed any further.
export const HOST = '10.245.0.1';
export const NODE = '10.245.0.2';
export const PODS = '10.244.0.0/24';
export const SERVICES = '10.96.0.0/16';
/** The first address of the Services is the API server's. */
export const API = '10.96.0.1';
export const DNS = '10.96.0.10';
