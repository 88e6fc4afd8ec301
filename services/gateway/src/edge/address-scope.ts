import { callerNetwork } from '@svc/service/addresses/caller-network';

/** The rate-limit scope of an address: an IPv4 address, or the /64 of an IPv6 address. */
export const addressScope = (address: string): string => `ip ${callerNetwork(address)}`;

/** The scope for public pages, apart from `addressScope`: reading pages does not use up the limit of the interface. */
export const pageScope = (address: string): string => `page ${callerNetwork(address)}`;

/** The scope for files of the dashboard. */
export const assetScope = (address: string): string => `asset ${callerNetwork(address)}`;
