/** All that its owner may do in a folder, as mode bits: list, change and enter it. */
export const ownerRights = 0o700;
