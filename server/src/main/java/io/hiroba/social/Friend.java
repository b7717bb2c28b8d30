package io.hiroba.social;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.http.Cursor;
import io.hiroba.social.PeopleLists.PersonCard;

/**
 * A row of the list of friends.
 *
 * @param tier 0 for the reader, 1 for those the reader follows, 2 for everybody else
 */
public record Friend(int tier, PersonCard card) {

    public FriendPosition position() {
        return new FriendPosition(tier, card.person().nickname(), card.person().id());
    }

    /**
     * A position in the list of friends: right after this row.
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

        /** The position within the tier {@code other}: this one if it is the same tier, else its start. */
        FriendPosition within(int other) {
            return tier == other ? this : START;
        }
    }
}
