package io.hiroba.agents.model;

/**
 * An estimate of the tokens of texts, rather above what models count: a token for three characters of ASCII, and for two bytes of
 * others, of which Chinese and Japanese characters have three.
 */
final class TokenEstimate {

    private static final int ASCII_OF_TOKEN = 3;
    private static final int BYTES_OF_TOKEN = 2;

    /** The marks around a message or a tool. */
    private static final int FRAME = 8;

    private TokenEstimate() {}

    static long of(String text) {
        long ascii = 0;
        long others = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                ascii++;
            } else {
                // Each half of a pair stands for two of its four bytes.
                others += c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
            }
        }
        return Math.ceilDiv(ascii, ASCII_OF_TOKEN) + Math.ceilDiv(others, BYTES_OF_TOKEN);
    }

    static long of(ModelRequest request) {
        long tokens = FRAME + of(request.system());
        for (var tool : request.tools()) {
            tokens += FRAME + of(tool.name()) + of(tool.description()) + of(tool.inputSchema());
        }
        for (var message : request.messages()) {
            tokens += FRAME + of(message);
        }
        return tokens;
    }

    private static long of(ModelMessage message) {
        return switch (message) {
            case ModelMessage.User user -> of(user.text());
            case ModelMessage.Assistant assistant ->
                of(assistant.text())
                        + assistant.toolCalls().stream()
                                .mapToLong(each -> FRAME + of(each.tool()) + of(each.input()) + of(each.id()))
                                .sum();
            case ModelMessage.ToolResults results ->
                results.results().stream()
                        .mapToLong(each -> FRAME + of(each.text()) + of(each.callId()))
                        .sum();
        };
    }
}
