# shellcheck shell=bash
# The words of the launcher in Japanese; each language has the same keys.

usage() {
  cat <<'END'
使い方：./hiroba <コマンド>

  up [--port 8080] [--data DIR] [--demo] [--foreground] [--key=value …]
                      必要ならビルドし、バックグラウンドで起動して、準備ができるまで待ちます。
                      --demoを付けると、試すための小さなコミュニティーを一度だけ作成します
  stop [--data DIR]   停止します。処理中のリクエストは先に終わらせます
  status [--data DIR] 動いているか、どこで動いているか（終了コード3：動いていない）
  doctor [--data DIR] 何があり、何が足りず、どう直せばよいか
  config [--key=value …]  有効な設定（秘密の値は伏せます）
  models install 名前 --from フォルダー|ファイル|ZIP|アドレス [--sha256 …] …
                      検索用のモデル（.onnxファイルとtokenizer.json）をインストールします
  models list、models remove 名前
  backup --to フォルダー|s3://BUCKET/PATH [--data DIR] [--limit 20MB/s] [--keep 30d] [--key-file ファイル]
                      動かしたまま全体をバックアップします
  backup list [--from フォルダー]、backup verify [--from フォルダー] [--instance 名前] [--key-file ファイル]
                      一覧を表示します。最新のものを試験的に復元します
  restore --from フォルダー|s3://BUCKET/PATH [--time 2026-12-01T10:00:00Z] [--instance 名前] [--key-file ファイル] --data 新しいフォルダー
                      新しいデータフォルダーに復元します
  backup --feature saga --to フォルダー [--keep 30d]、restore --feature saga --from フォルダー
                      1つの機能だけをバックアップし、同じデータベースに戻します
  upgrade-database [--programs フォルダー] [--undo | --finish]
                      データベースをこのPostgreSQLに上げる、戻す、以前のものを削除する
  psql [--data DIR] [--write] [psqlのオプション …]
                      動作中のデータベースを参照するシェル。--writeを付けると行の変更もできます
  pg_dump [--data DIR] [pg_dumpのオプション …]
                      動作中のデータベースのダンプ
  test                すべての検査とテストを実行します
  test --fast         検査と、ブラウザーを開くテスト、サーバーを強制終了するテスト、時間のかかるテストを除きます
  test <機能> …       recordsなど、これらの機能とアーキテクチャーのテストだけを実行します
  test --coverage     すべてのテストと、各機能のカバレッジ
  test --mutation     2つのパッケージのテストが、変更されたコードに気づくか
  bench [名前]        限界とほかの製品に対して性能を測ります
  bench <名前> --against <チェックアウト>
                      このビルドと別のチェックアウトのビルドを、HTTP で交互に測ります
  chaos activity [--minutes 10] [--seed n]
                      サーバーと接続を無作為に切り、失われたり重複したりしたカードがないか調べます
  chaos saga [--minutes 10] [--seed n]
                      ノードを無作為に、また最も困る時点で止め、すべてのサーガが完了または補償されたか調べます
  chaos knowledge [--minutes 10] [--seed n]
                      埋め込みサービスの障害中にサーバーを止め、失われたり重複したりした該当箇所やメッセージがないか調べます
  chaos agents [--minutes 10] [--seed n]
                      チャットモデルの障害中にサーバーを止め、どの質問にも回答または理由が一つあるか調べます
  chaos everything [--minutes 10] [--seed n]
                      サーバーとデータベースを止め、受け付けたものすべてが一つずつあるか調べます
  dist                Java、Maven、コンパイラー、ネットワークなしで動くアーカイブを作成します。最後の行がそのパスです
  dist --deb, --oci   サービス付きのDebianパッケージと、コンテナーイメージ（--base ROOT.tarまたはDebianの上）も作成します
  version, help

それ以外はクライアントに渡されます：./hiroba login、./hiroba post "…"、./hiroba feedなど（./hiroba --helpで一覧を表示）。

環境変数：HIROBA_JAVA_HOME（使うJDK）、HIROBA_JAVA_OPTS（サーバーのJVMへの追加オプション）、
HIROBA_ADMIN_EMAILとHIROBA_ADMIN_PASSWORD（最初の管理者）、HIROBA_DATABASE_URL（自分のPostgreSQL）、
HIROBA_DATA（データフォルダー）。どの設定にもこのような変数があります。./hiroba configで確認できます。
END
}

text() { # key, what the text is about
  local key=$1; shift
  case $key in
    waiting-for-build) say "別のビルドが終わるのを待っています" ;;
    waiting-for-start) say "$1での別の起動が終わるのを待っています" ;;
    building) say "· $1をビルドしています" ;;
    build-failed) say "ビルドに失敗しました。出力の全体：$1" ;;
    not-writable) say "$1に書き込めないため、ビルドできません。" ;;

    install-yourself) say "お使いのシステムのパッケージマネージャーで$1をインストールしてください" ;;
    jdk-advice) say "インストールしてください（$1、または任意のベンダーのJDK 25）。通常と異なる場所にある場合は、HIROBA_JAVA_HOMEにそのフォルダーを設定してください。" ;;
    jdk-unusable) say "HIROBA_JAVA_HOMEの$1は、JDK 25以降ではありません。修正するか、設定を解除してください。" ;;
    jdk-missing) say "JDK 25以降が見つかりません。$1" ;;
    maven-missing) say "Hirobaのビルドに使うMavenが見つかりません。インストールしてください：$1" ;;

    if-need-be) say "必要ならビルドし、" ;;
    no-command) say "$1というコマンドはありません。一覧：${me} help" ;;
    no-command-but) say "$1というコマンドはありません。$2のことですか？一覧：${me} help" ;;
    needs-a-value) say "$1には値が必要です。" ;;
    unexpected-argument) say "余分な引数$1があります。設定は--key=valueの形で書いてください。" ;;
    port-range) say "--portには65535以下の数を指定してください（$1は指定できません）。" ;;
    unknown-option) say "$1に$2は指定できません。" ;;
    unclear-data) say "$1のdataの書き方を正しく解釈できません。行頭に\`data: /a/folder\`と書くか、--dataを使ってください。" ;;

    running-already) say "Hirobaはすでに動いています：$1（pid $2、データ：$3）" ;;
    demo-there) say "デモのコミュニティーはすでにあります。何も追加していません。" ;;
    demo-at-start) say "デモのコミュニティーは起動時に作成されます：${me} stopのあとに${me} up --demoを実行してください" ;;
    demo-bar) say "· デモのコミュニティーを作成しています" ;;
    demo-percent) say "· デモのコミュニティーを作成しています：$1 %" ;;
    port-taken) say "ポート$1はほかのプログラムが使っています。--portで別のポートを指定してください。" ;;
    data-not-made) say "データフォルダー$1を作成できません。--dataで別のフォルダーを指定してください。" ;;
    not-readable) say "データフォルダー$1を読み取れません。所有者のユーザーとして実行してください。" ;;
    package-settings) say "パッケージの設定$1を読み取れません。\`runuser -u hiroba -- hiroba …\`でそのユーザーとして実行するか、--dataで自分のフォルダーを指定してください。" ;;
    unfinished-restore) say "$1は途中で終わった復元のため、起動できません。復元のコマンドをもう一度実行し、最後に表示されるフォルダーで起動してください。" ;;
    own-database) say "データベースは組み込みのものではありません。$1を、database.urlのアドレスで使ってください。" ;;
    data-not-writable) say "データフォルダー$1に書き込めません。--dataで別のフォルダーを指定してください。" ;;
    stopping) say "· 停止しています" ;;
    preparing) say "· 次回からの起動を速くする準備をしています" ;;
    ended-early) say "Hirobaは準備ができる前に終了しました（終了コード$1）。ログ：$2、$3" ;;
    not-running) say "$1のHirobaは動いていません。" ;;
    not-running-start) say "$1のHirobaは動いていません。起動するには：${me} up" ;;
    running-ready) say "Hirobaは動いています：$1（準備完了、pid $2、データ：$3）" ;;
    running-not-ready) say "Hirobaは動いています：$1（準備中、pid $2、データ：$3）" ;;
    not-yours) say "プロセス$1を停止する権限がありません。起動したユーザーで停止してください。" ;;
    not-stopped) say "プロセス$1は100秒たっても停止しません。$2を確認してください。kill -9 $1で終了できます。受け付け済みのデータは失われません。" ;;
    waiting-for-requests) say "· 処理中のリクエストとステップが終わるのを待っています" ;;
    stopped) say "Hirobaを停止しました。" ;;

    to-run) say "Hirobaの実行に必要なもの：" ;;
    to-test) say "${me} testだけに必要なもの：" ;;
    the-server) say "サーバー：" ;;
    jdk-found) say "$1（$2）" ;;
    jdk-none) say "バージョン25がありません。$1" ;;
    not-found) say "見つかりません：$1" ;;
    disk-free) say "$2の空き容量：$1 GB" ;;
    disk-full) say "$2の空き容量は$1 MBしかありません。容量を空けるか、--dataで別のフォルダーを指定してください" ;;
    clock-kept) say "タイムサーバーと同期しています" ;;
    clock-loose) say "タイムサーバーと同期していません：timedatectl set-ntp true" ;;
    clock-unknown) say "ここでは確認できません。時刻サーバーで合わせられているか確かめてください" ;;
    not-built) say "未ビルド、またはソースより古い状態です：${me} upでビルドされます" ;;
    built) say "ビルド済み" ;;
    gcc-found) say "システムにpgvectorがない場合にビルドします" ;;
    gcc-none) say "見つかりません（システムにpgvectorがない場合だけ必要です）：$1" ;;
    apt-found) say "システムにpgvectorがない場合に取得します" ;;
    apt-none) say "見つかりません：pgvectorは、システムのもの、またはHIROBA_DATABASE_URLで指定したデータベースのものが必要です" ;;
    runs-at) say "$1（pid $2）" ;;
    runs-not) say "動いていません：${me} up" ;;
    database-later) say "サーバーをビルドしたあとに確認できます" ;;

    missing-for-tests) say "一部のテストに必要ですが、自動ではインストールできません：$1" ;;
    installing) say "· テストに必要なものをインストールしています：$1" ;;
    not-installed) say "インストールできませんでした：$1（target/install.logを参照）" ;;
    failed-outside) say "テスト以外でビルドに失敗しました。失敗1件として数えます。" ;;
    no-test-ran) say "テストが1つも実行されませんでした。失敗1件として数えます。" ;;
    checks-wait) say "· Error Prone、NullAway、書式の検査を待っています" ;;
    checks-passed) say "· 合格：Error Prone、NullAway、書式" ;;
    checks-failed) say "検査に失敗しました。出力の全体：target/checks.log" ;;
    no-coverage) say "カバレッジは計測されていません" ;;
    coverage-head) say "カバレッジ        行      分岐（合計はテンプレートを除く）" ;;
    coverage-lines) say "行ごとの結果：target/coverage/hiroba-server/index.html" ;;
    mutation-failed) say "ミューテーションテストに失敗しました。理由は上に表示されています。" ;;
    mutation-changes) say "変更ごとの結果：target/mutation/index.html" ;;
    no-feature) say "テストできる機能「$1」はありません。次のものがあります：$2" ;;
    run-again) say "· 失敗したため、もう一度実行します：$1" ;;
    tests-build-failed) say "ビルドに失敗しました。理由は上に表示されています" ;;
    run-twice) say "最初に失敗したテストがあるため2回実行しました：$1" ;;

    needs-checkout) say "$1にはソースのチェックアウトが必要です。ここにはありません。" ;;
    dist-linux) say "distはamd64またはarm64のLinux用のアーカイブを、そのマシンの上でだけ作成します。" ;;
    dist-java) say "· Javaの実行環境を作成しています" ;;
    dist-archive) say "· アーカイブにまとめています" ;;
    dist-deb) say "· Debianパッケージを作成しています" ;;
    dist-oci) say "· コンテナーイメージを作成しています" ;;
    dist-base) say "イメージの土台はapt-getでDebianから取得しますが、ここにはありません。--baseで自分のtarを指定してください。" ;;
    dist-failed) say "アーカイブを作成できませんでした。$1を確認してください" ;;
    dist-size) say "· 展開すると$1 MB、アーカイブは$2 MB" ;;
    *) say "$key" ;;
  esac
}

label() { # of a line of the doctor, twelve columns wide
  case $1 in
    disk) printf 'ディスク    ' ;;
    clock) printf '時計        ' ;;
    browser) printf 'ブラウザー  ' ;;
    running) printf '動作中      ' ;;
    database) printf 'データベース' ;;
    *) printf '%-12s' "$1" ;;
  esac
}
