# Prints which GPU models were waited for longest, and the ten days on which GPUs were busiest.
# Input: the sums by model, then the sums by day.
BEGIN {
    FS = "\t"
    sort = "LC_ALL=C sort -t '\t' "
    longest = sort "-k 3,3nr -k 1,1 | tr '\t' ' '"
    busiest = sort "-k 4,4nr -k 1,1 | head -n 10 | tr '\t' ' '"
}
FNR == 1 { file++ }
{
    line = sprintf("%-44s\t%10.0f\t%12.1f\t%12.1f", $1, $2, $3 / $2, $4 / 3600000)
    if (file == 1) models[++m] = line; else days[++d] = line
}
END {
    heading("wanted GPU model")
    for (i = 1; i <= m; i++) print models[i] | longest
    close(longest)
    print ""
    heading("day of the trace")
    for (i = 1; i <= d; i++) print days[i] | busiest
    close(busiest)
}
function heading(title) {
    printf "%-44s %10s %12s %12s\n", title, "requests", "mean wait, s", "GPU hours"
    fflush()   # the lines below come from other processes
}
