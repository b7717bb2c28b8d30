package io.hiroba.social.follow;

/**
 * Somebody in the list of friends.
 *
 * @param tier 0 for the reader, 1 for those the reader follows, 2 for everybody else
 */
public record Friend(int tier, PersonCard card) {

    public FriendPosition position() {
        return new FriendPosition(tier, card.person().nickname(), card.person().id());
    }
}
