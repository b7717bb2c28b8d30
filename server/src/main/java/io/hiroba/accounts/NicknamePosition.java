package io.hiroba.accounts;

/** A place in the list of users by nickname: right after this one. */
public record NicknamePosition(String nickname, UserId id) {

    static final NicknamePosition START = new NicknamePosition("", new UserId(0));

    public static NicknamePosition of(User user) {
        return new NicknamePosition(user.nickname().value(), user.id());
    }
}
