package io.hiroba.social.follow;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.http.Cursor;

/**
 * A place in the list of friends: right after this one.
 *
 * @param tier 0 for the reader, 1 for those the reader follows, 2 for everybody else
 */
public record FriendPosition(int tier, String nickname, UserId id) {

    public static final FriendPosition START = new FriendPosition(0, "", new UserId(0));

    public static FriendPosition of(Cursor cursor) {
        return new FriendPosition((int) cursor.number(0), cursor.text(1), new UserId(cursor.number(2)));
    }

    public Cursor cursor() {
        return Cursor.of(Integer.toString(tier), nickname, Long.toString(id.value()));
    }

    /** Where the walk through {@code other} goes on: here if it is this tier, else at its beginning. */
    FriendPosition within(int other) {
        return tier == other ? this : START;
    }
}
