/** How long events and ended deliveries are kept where nothing else is set. */
export const KEPT_DAYS = 30;
