/** Returns as much of an object's id as people compare by eye. */
export const shortOid = (oid: string): string => oid.slice(0, 10);
